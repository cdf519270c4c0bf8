// What a regular expression cannot tell: comments that nest, and signs whose meaning depends on the white
// space around them.
//
// - `.` with white space on neither side joins names (`a.b`); any other ends the variables of a quantifier.
// - in the definition of a connector, `[` right behind a name is an index (`r[i]`), and any other opens a group
//   (`p [q r]`).
//
// Nothing is remembered between tokens, so there is nothing to serialize.

#include "tree_sitter/parser.h"

enum TokenType {
  LINE_COMMENT,
  DOC_COMMENT,
  BLOCK_COMMENT,
  TIGHT_DOT,
  SPACED_DOT,
  OPEN_GROUP,
  OPEN_INDEX,
  ERROR_SENTINEL,
};

static bool is_space(int32_t c) {
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// White space that may stand between tokens; the rest of it only counts beside a dot.
static bool is_skipped(int32_t c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

static void rest_of_line(TSLexer *lexer) {
  while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '\r') {
    lexer->advance(lexer, false);
  }
}

static bool line_comment(TSLexer *lexer) {
  lexer->advance(lexer, false);
  bool third = lexer->lookahead == '/';
  if (third) {
    lexer->advance(lexer, false);
  }
  // `////` is a rule, not documentation.
  bool doc = third && lexer->lookahead != '/';
  rest_of_line(lexer);
  lexer->mark_end(lexer);
  lexer->result_symbol = doc ? DOC_COMMENT : LINE_COMMENT;
  return true;
}

static bool block_comment(TSLexer *lexer) {
  lexer->advance(lexer, false);
  unsigned depth = 1;
  while (depth > 0) {
    if (lexer->eof(lexer)) {
      return false;
    }
    int32_t c = lexer->lookahead;
    lexer->advance(lexer, false);
    if (c == '*' && lexer->lookahead == '/') {
      lexer->advance(lexer, false);
      depth--;
    } else if (c == '/' && lexer->lookahead == '*') {
      lexer->advance(lexer, false);
      depth++;
    }
  }
  lexer->mark_end(lexer);
  lexer->result_symbol = BLOCK_COMMENT;
  return true;
}

static bool dot(TSLexer *lexer, const bool *valid, bool spaced) {
  lexer->advance(lexer, false);
  if (lexer->lookahead == '.') {
    return false;
  }
  lexer->mark_end(lexer);
  if (lexer->eof(lexer) || is_space(lexer->lookahead)) {
    spaced = true;
  }
  lexer->result_symbol = spaced ? SPACED_DOT : TIGHT_DOT;
  return valid[lexer->result_symbol];
}

static bool bracket(TSLexer *lexer, const bool *valid, bool spaced) {
  if (!valid[OPEN_GROUP] && !valid[OPEN_INDEX]) {
    return false;
  }
  bool group = valid[OPEN_GROUP] && (spaced || !valid[OPEN_INDEX]);
  if (!group && !valid[OPEN_INDEX]) {
    return false;
  }
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  lexer->result_symbol = group ? OPEN_GROUP : OPEN_INDEX;
  return true;
}

void *tree_sitter_pnet_external_scanner_create(void) { return NULL; }
void tree_sitter_pnet_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_pnet_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_pnet_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

bool tree_sitter_pnet_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  bool spaced = false;
  while (!lexer->eof(lexer) && is_skipped(lexer->lookahead)) {
    spaced = true;
    lexer->advance(lexer, true);
  }
  switch (lexer->lookahead) {
    case '/':
      lexer->advance(lexer, false);
      if (lexer->lookahead == '/') {
        return line_comment(lexer);
      }
      return lexer->lookahead == '*' && block_comment(lexer);
    case '.':
      return (valid[TIGHT_DOT] || valid[SPACED_DOT]) && dot(lexer, valid, spaced);
    case '[':
      // Where an error is being repaired everything is allowed, and the plain bracket is the better guess.
      return !valid[ERROR_SENTINEL] && bracket(lexer, valid, spaced);
    default:
      return false;
  }
}

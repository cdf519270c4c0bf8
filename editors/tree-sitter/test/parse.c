// Parses the files it is given, and says where the first text stands that the grammar does not take.
// The status is 1 if there was one, and 2 if a file could not be read.
//
// With `-t`, it writes the tree of each file, too. With `-q`, the files are queries, and it says how many patterns they have.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_pnet(void);

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    return NULL;
  }
  size_t room = 1 << 16;
  char *text = malloc(room);
  *length = 0;
  while (text) {
    *length += fread(text + *length, 1, room - *length, file);
    if (*length < room) {
      break;
    }
    room *= 2;
    char *larger = realloc(text, room);
    if (!larger) {
      free(text);
    }
    text = larger;
  }
  fclose(file);
  return text;
}

// The first node that is an error or stands for something missing.
static TSNode first_error(TSNode node) {
  for (;;) {
    if (strcmp(ts_node_type(node), "ERROR") == 0 || ts_node_is_missing(node)) {
      return node;
    }
    uint32_t count = ts_node_child_count(node), at = 0;
    while (at < count && !ts_node_has_error(ts_node_child(node, at)) &&
           !ts_node_is_missing(ts_node_child(node, at))) {
      at++;
    }
    if (at == count) {
      return node;
    }
    node = ts_node_child(node, at);
  }
}

// Whether queries are ones of this grammar.
static int query(const char *path) {
  size_t length = 0;
  char *text = read_file(path, &length);
  if (!text) {
    fprintf(stderr, "%s: cannot be read\n", path);
    return 2;
  }
  uint32_t at = 0;
  TSQueryError kind = TSQueryErrorNone;
  TSQuery *made = ts_query_new(tree_sitter_pnet(), text, (uint32_t)length, &at, &kind);
  if (made) {
    printf("%u\n", ts_query_pattern_count(made));
    ts_query_delete(made);
  } else {
    printf("%s: not taken from byte %u on: %.40s\n", path, at, text + at);
  }
  free(text);
  return made ? 0 : 1;
}

int main(int count, char **arguments) {
  if (count == 3 && strcmp(arguments[1], "-q") == 0) {
    return query(arguments[2]);
  }
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_pnet())) {
    fprintf(stderr, "the library does not take this version of a parser\n");
    return 2;
  }
  int status = 0;
  int trees = count > 1 && strcmp(arguments[1], "-t") == 0;
  for (int i = 1 + trees; i < count; i++) {
    size_t length = 0;
    char *text = read_file(arguments[i], &length);
    if (!text) {
      fprintf(stderr, "%s: cannot be read\n", arguments[i]);
      return 2;
    }
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)length);
    TSNode root = ts_tree_root_node(tree);
    if (trees) {
      char *written = ts_node_string(root);
      printf("%s\n", written);
      free(written);
    }
    if (ts_node_has_error(root)) {
      TSPoint start = ts_node_start_point(first_error(root));
      printf("%s:%u:%u: not taken\n", arguments[i], start.row + 1, start.column + 1);
      status = 1;
    }
    ts_tree_delete(tree);
    free(text);
  }
  ts_parser_delete(parser);
  return status;
}

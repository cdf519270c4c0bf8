//! The problems of the lexer (`L`) and the parser (`P`), one file per code.

crate::diagnostics::problems! {
    /// What can be wrong with a text, before anything is known about what its names mean.
    SyntaxProblem {
        l0001_bad_character::BadCharacter,
        l0002_unclosed_comment::UnclosedComment,
        l0003_unclosed_raw_name::UnclosedRawName,
        l0004_unclosed_string::UnclosedString,
        l0005_bad_number::BadNumber,
        l0006_not_utf8::NotUtf8,
        p0001_unexpected_token::UnexpectedToken,
        p0002_missing_semicolon::MissingSemicolon,
        p0003_unclosed_bracket::UnclosedBracket,
        p0004_unmatched_bracket::UnmatchedBracket,
        p0005_too_deep::TooDeep,
        p0006_keyword_as_name::KeywordAsName,
        p0007_wrong_equals::WrongEquals,
        p0008_misplaced_statement::MisplacedStatement,
        p0009_chained_comparison::ChainedComparison,
        p0010_misplaced_module::MisplacedModule,
        p0011_stray_doc::StrayDoc,
        p0012_foreign_operator::ForeignOperator,
        p0013_misspelt_keyword::MisspeltKeyword,
        p0014_other_notation::OtherNotation,
    }
}

pub use p0014_other_notation::Habit;

/// Things in words already, as a list: `a, b or c`.
fn list(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

" Colours without the language server. Words of the language are those of src/syntax/token.rs; a test compares them.
if exists("b:current_syntax")
  finish
endif
syntax keyword pnetKeyword module import as sort enum data fun axiom const action interface process net check relation var init final state when unless do sub for in is connect priority forall exists if then else match not and or div mod true false tau sync co any
syntax keyword pnetWord by tracking maximal always reaches live mutex at_most decreases scenario invariant reduction of lts quot rem let with valid assert architecture rule new never step connector port shows on up down
syntax region pnetComment start="//" end="$" contains=@Spell
syntax region pnetComment start="/\*" end="\*/" contains=pnetComment,@Spell
syntax region pnetString start=+"+ end=+"+ oneline
syntax region pnetQuoted start=+`+ end=+`+ oneline
syntax match pnetNumber "\<[0-9][0-9_]*\>"
highlight default link pnetKeyword Keyword
highlight default link pnetWord Statement
highlight default link pnetComment Comment
highlight default link pnetString String
highlight default link pnetQuoted Identifier
highlight default link pnetNumber Number
let b:current_syntax = "pnet"

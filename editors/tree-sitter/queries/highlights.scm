; Colours. What a name stands for is told by its place; `pnet lsp` knows more, and its semantic tokens come on top.

; ---- names: the general case first, since later patterns win -----------------------------------------

(path (name) @variable)
(name) @variable

(number) @number
(boolean) @boolean
(text) @string
(wildcard) @variable.builtin
(tau) @constant.builtin

(line_comment) @comment
(block_comment) @comment
(doc_comment) @comment.documentation

; ---- declarations -----------------------------------------------------------------------------------

(module_declaration name: (path (name) @module))
(import_declaration source: (path (name) @module))
(import_declaration alias: (name) @module)

(sort_declaration name: (name) @type)
(enum_declaration name: (name) @type)
(data_declaration name: (name) @type)
(sort_names name: (name) @type)
(sort (name) @type)
(applied_sort name: (path (name) @type))
(sort_of_sorts) @type.builtin
(interface_declaration name: (name) @type)
(hole interface: (path (name) @type))

(constructor name: (name) @constructor)
(field name: (name) @property)
(field_access field: (name) @property)
(field_value name: (name) @property)
(assignment field: (name) @property)

(property_declaration name: (name) @function)
(property_parameters (name) @variable.parameter)
(temporal_operator) @keyword.operator
(function_declaration name: (name) @function)
(call callee: (path (name) @function .))
(constant_declaration name: (name) @constant)

(signature name: (name) @function)
(transition action: (path (name) @function .))
(member action: (path (name) @function .))
(vector result: (path (name) @function .))
(port action: (name) @function)
(connection name: (name) @function)
(step action: (path (name) @function .))

(parameter name: (name) @variable.parameter)
(binder name: (name) @variable.parameter)
(input name: (name) @variable.parameter)
(quantified_variable name: (name) @variable.parameter)
(index name: (name) @variable.parameter)
(family index: (name) @variable.parameter)
(let name: (name) @variable.parameter)
(rule_parameters (name) @variable.parameter)

(process_declaration name: (name) @type.definition)
(net_declaration name: (name) @type.definition)
(architecture_declaration name: (name) @type.definition)
(connector_declaration name: (name) @type.definition)
(relation_declaration name: (name) @type.definition)
(invariant_declaration name: (name) @type.definition)
(reduction_declaration name: (name) @type.definition)
(scenario_declaration name: (name) @type.definition)
(rule name: (name) @type.definition)
(rule_use rule: (name) @type)
(instance name: (path (name) @type))
(connector_use connector: (name) @type)

(state_declaration name: (name) @label)
(transition source: (name) @label)
(transition target: (name) @label)
(never label: (name) @label)
(vector name: (name) @label)

(check_kind) @function.builtin
(reducing word: (name) @keyword)

; ---- words and signs --------------------------------------------------------------------------------

[
  "module" "import" "as" "sort" "enum" "data" "fun" "axiom" "const" "action" "interface" "process" "net"
  "relation" "scenario" "invariant" "reduction" "architecture" "rule" "connector" "property" "check" "of" "by" "fair" "weakly"
  "tracking" "var" "init" "final" "state" "when" "assert" "do" "sub" "connect" "priority" "maximal" "unless"
  "for" "step" "new" "never" "lts" "decreases" "port" "shows" "on" "up" "down" "any" "let" "with" "sync" "co"
  "Action"
] @keyword

["if" "then" "else" "match"] @keyword.conditional
["forall" "exists" "not" "and" "or" "div" "mod" "quot" "rem" "is" "in"] @keyword.operator

; A word that is a name where it stands is no keyword there.
(name ["let"] @variable)

[":=" "+=" "-=" "=" "==" "!=" "<=" ">=" "=>" "->" "+" "-" "*" "?" ".."] @operator
(trigger) @operator
[";" "," ":" "."] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
(parameters ["<" ">"] @punctuation.bracket)
(sort_names ["<" ">"] @punctuation.bracket)
(values ["<" ">"] @punctuation.bracket)
(members ["<" ">"] @punctuation.bracket)
(applied_sort ["<" ">"] @punctuation.bracket)
(binary operator: ["<" ">"] @operator)
(order "<" @operator)

; Names that mean something only inside of what declares them.

[
  (function_declaration)
  (process_declaration)
  (net_declaration)
  (rule)
  (connector_declaration)
  (transition)
  (vector)
  (connection)
  (quantified)
  (let)
  (arm)
] @local.scope

(parameter name: (name) @local.definition)
(binder name: (name) @local.definition)
(variable_declaration name: (name) @local.definition)
(state_declaration name: (name) @local.definition)
(hole name: (name) @local.definition)
(sub_declaration name: (name) @local.definition)
(family index: (name) @local.definition)
(index name: (name) @local.definition)
(input name: (name) @local.definition)
(quantified_variable name: (name) @local.definition)
(let name: (name) @local.definition)
(rule_parameters (name) @local.definition)
(new_declaration name: (name) @local.definition)
(formal_port name: (name) @local.definition)

(name) @local.reference

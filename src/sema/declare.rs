//! Takes in every name that is declared, module by module.

use super::Sema;
use super::invariant::InvariantDef;
use super::problems::Duplicate;
use super::program::{
    AbstractId, ArchitectureDef, ArchitectureId, ConnectorTypeDef, ConnectorTypeId, ConstDef,
    ConstId, ConstructorDef, DataDef, DataId, FunDef, FunId, InterfaceDef, InterfaceId,
    InvariantId, ModuleId, Named, NetDef, NetId, ProcessDef, ProcessId, PropertyDef, PropertyId,
    ReductionId, RelationDef, RelationId, Sort, SortParamId,
};
use super::reduction::ReductionDef;
use super::scope::{Declared, Meaning, Scope, Space};
use crate::syntax::ast::{self, Ident, ItemKind};

/// Declares the names of all modules.
pub(super) fn run(sema: &mut Sema<'_>) {
    for (index, module) in sema.modules.iter().enumerate() {
        let id = ModuleId(index as u32);
        let mut scope = Scope::default();
        scope.unparsed.extend(&module.tree.unparsed_names);
        scope.used_imports = vec![false; module.imports.len()];
        sema.scopes.push(scope);
        for (place, item) in module.tree.items.iter().enumerate() {
            declare_item(sema, id, (place, &item.kind));
        }
    }
}

fn declare_item<'a>(sema: &mut Sema<'a>, module: ModuleId, (place, item): (usize, &'a ItemKind)) {
    let named = |ident: Ident| Named { name: ident.name, span: ident.span, module };
    match item {
        ItemKind::Sort(names) => {
            for &name in names {
                let id = AbstractId(sema.program.abstracts.len() as u32);
                sema.program.abstracts.push(named(name));
                declare(sema, module, Space::Sorts, name, Meaning::Abstract(id));
            }
        }
        ItemKind::Data(data) => declare_data(sema, module, data),
        ItemKind::Fun(fun) => {
            let id = FunId(sema.program.funs.len() as u32);
            let sorts = declare_sorts(sema, module, &fun.sorts);
            sema.program.funs.push(FunDef {
                measures: Vec::new(),
                named: named(fun.name),
                sorts,
                instance: None,
                params: Vec::new(),
                result: Sort::Error,
                body: None,
                locals: Vec::new(),
            });
            declare(sema, module, Space::Values, fun.name, Meaning::Fun(id));
        }
        ItemKind::Const(constant) => {
            let id = ConstId(sema.program.consts.len() as u32);
            sema.program.consts.push(ConstDef {
                named: named(constant.name),
                sort: Sort::Error,
                body: None,
                value: None,
                locals: Vec::new(),
            });
            sema.constants.push((module, constant));
            declare(sema, module, Space::Values, constant.name, Meaning::Const(id));
        }
        ItemKind::Interface(interface) => {
            let id = InterfaceId(sema.program.interfaces.len() as u32);
            let named = named(interface.name);
            sema.program.interfaces.push(InterfaceDef { named, actions: Vec::new() });
            declare(sema, module, Space::Sorts, interface.name, Meaning::Interface(id));
        }
        ItemKind::Process(process) => {
            let id = ProcessId(sema.program.processes.len() as u32);
            sema.program.processes.push(ProcessDef::new(named(process.name)));
            declare(sema, module, Space::Components, process.name, Meaning::Process(id));
        }
        ItemKind::Net(net) => {
            let id = NetId(sema.program.nets.len() as u32);
            sema.program.nets.push(NetDef::new(named(net.name)));
            declare(sema, module, Space::Components, net.name, Meaning::Net(id));
        }
        ItemKind::Architecture(one) => {
            let id = ArchitectureId(sema.program.architectures.len() as u32);
            sema.program.architectures.push(ArchitectureDef::new(named(one.name)));
            declare(sema, module, Space::Components, one.name, Meaning::Architecture(id));
        }
        ItemKind::Relation(relation) => {
            let id = RelationId(sema.program.relations.len() as u32);
            sema.program.relations.push(RelationDef {
                named: named(relation.name),
                nets: Vec::new(),
                pairs: Vec::new(),
                locals: Vec::new(),
            });
            declare(sema, module, Space::Relations, relation.name, Meaning::Relation(id));
        }
        ItemKind::Invariant(invariant) => {
            let id = InvariantId(sema.program.invariants.len() as u32);
            sema.program.invariants.push(InvariantDef {
                named: named(invariant.name),
                net: None,
                written: String::new(),
                conditions: Vec::new(),
                locals: Vec::new(),
            });
            declare(sema, module, Space::Relations, invariant.name, Meaning::Invariant(id));
        }
        ItemKind::Reduction(reduction) => {
            let id = ReductionId(sema.program.reductions.len() as u32);
            sema.program.reductions.push(ReductionDef::new(named(reduction.name)));
            declare(sema, module, Space::Relations, reduction.name, Meaning::Reduction(id));
        }
        ItemKind::Connector(connector) => {
            let id = ConnectorTypeId(sema.program.connectors.len() as u32);
            sema.program.connectors.push(ConnectorTypeDef::new(named(connector.name)));
            let meaning = Meaning::Connector(id);
            declare(sema, module, Space::Connectors, connector.name, meaning);
        }
        ItemKind::Property(property) => {
            let id = PropertyId(sema.program.properties.len() as u32);
            let named = named(property.name);
            sema.program.properties.push(PropertyDef { named, item: place, used: false });
            declare(sema, module, Space::Properties, property.name, Meaning::Property(id));
        }
        // Actions are declared with their sorts: which of two is meant depends on them.
        ItemKind::Action(_)
        | ItemKind::Error
        | ItemKind::Module(_)
        | ItemKind::Import(_)
        | ItemKind::Axiom(_)
        | ItemKind::Check(_)
        | ItemKind::Scenario(_) => {}
    }
}

fn declare_data(sema: &mut Sema<'_>, module: ModuleId, data: &ast::DataDecl) {
    let id = DataId(sema.program.datas.len() as u32);
    let params = declare_sorts(sema, module, &data.params);
    let constructor = |c: &ast::Constructor| ConstructorDef { name: c.name, fields: Vec::new() };
    sema.program.datas.push(DataDef {
        named: Named { name: data.name.name, span: data.name.span, module },
        params,
        instance: None,
        constructors: data.constructors.iter().map(constructor).collect(),
    });
    declare(sema, module, Space::Sorts, data.name, Meaning::Data(id));
    for (index, constructor) in data.constructors.iter().enumerate() {
        let meaning = Meaning::Constructor(id, index as u32);
        declare(sema, module, Space::Values, constructor.name, meaning);
    }
}

/// Parameters that stand for sorts.
pub(super) fn declare_sorts(
    sema: &mut Sema<'_>,
    module: ModuleId,
    names: &[Ident],
) -> Vec<SortParamId> {
    let mut made: Vec<SortParamId> = Vec::with_capacity(names.len());
    for name in names {
        let known = |id: &&SortParamId| sema.program.sort_params[id.index()].name == name.name;
        if let Some(first) = made.iter().find(known) {
            let first = sema.program.sort_params[first.index()].span;
            let (what, text) = ("sort parameter".to_owned(), name.name.to_string());
            sema.report(Duplicate { span: name.span, what, name: text, first });
        }
        made.push(sema.sort_param(*name, module));
    }
    made
}

/// Declares a name, or reports that the module has it already.
pub(super) fn declare(
    sema: &mut Sema<'_>,
    module: ModuleId,
    space: Space,
    ident: Ident,
    meaning: Meaning,
) {
    let what = meaning.in_words();
    let predefined = space == Space::Sorts && super::signatures::predefined(ident.name).is_some();
    let own = &mut sema.scopes[module.index()].own;
    let first = own.get(&(space, ident.name)).map(|known| known.span);
    if first.is_none() && !predefined {
        let declared = Declared { meaning, span: ident.span };
        own.insert((space, ident.name), declared.clone());
        sema.names(ident, &declared);
        return;
    }
    let what = what.split_once(' ').map_or(what, |(_, noun)| noun).to_owned();
    let name = ident.name.to_string();
    sema.report(Duplicate { span: ident.span, what, name, first: first.unwrap_or(ident.span) });
}

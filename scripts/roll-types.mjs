// Rolls the declarations of many files up into one file for each package export.
//
//   the .d.ts files of tsc -> ENTRY.d.ts for each entry, and shared.d.ts for what several of them need
//
// Only what an entry reaches is kept. Two declarations of one name in different files are told apart by a number.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const shared = 'shared';

/**
 * `entries`: the name of each entry -> its .d.ts file. Gives the text of each file by its name, and what each entry exports:
 * the name, whether it is a type only, and the names of the declarations that its own declaration refers to.
 */
export function rollTypes(entries) {
  const modules = new Map();
  const moduleAt = (path) => {
    if (!modules.has(path)) modules.set(path, readModule(path));
    return modules.get(path);
  };
  const declarationOf = (path, name) => resolveName(moduleAt, path, name);

  const exported = new Map();
  for (const [entry, path] of Object.entries(entries))
    exported.set(
      entry,
      [...moduleAt(path).exports].map(([name, { isType }]) => {
        const declaration = mustBe(declarationOf(path, name), name, path);
        return { name, declaration, isType: isType || declaration.isType };
      }),
    );

  const usedBy = new Map();
  for (const [entry, names] of exported) {
    const open = names.map(({ declaration }) => declaration);
    while (open.length > 0) {
      const declaration = open.pop();
      const users = usedBy.get(declaration) ?? new Set();
      if (users.has(entry)) continue;
      usedBy.set(declaration, users.add(entry));
      open.push(...referencesOf(declaration, declarationOf).map(({ to }) => to));
    }
  }

  const publicNames = new Map(
    [...exported.values()].flat().map(({ name, declaration }) => [declaration, name]),
  );
  const names = nameAll([...usedBy.keys()], publicNames);
  const home = (declaration) => {
    const users = [...usedBy.get(declaration)];
    return users.length === 1 ? users[0] : shared;
  };
  const files = new Map([[shared, []], ...Object.keys(entries).map((entry) => [entry, []])]);
  for (const declaration of usedBy.keys()) files.get(home(declaration)).push(declaration);

  const texts = new Map();
  for (const [file, declarations] of files) {
    const needed = new Set([
      ...declarations.flatMap((one) => referencesOf(one, declarationOf).map(({ to }) => to)),
      ...(exported.get(file) ?? []).map(({ declaration }) => declaration),
    ]);
    const isHere = (declaration) => home(declaration) === file;
    const imported = [...needed].filter((one) => !isHere(one)).map((one) => names.get(one));
    const given =
      exported.get(file) ??
      declarations.map((declaration) => ({ name: names.get(declaration), declaration, isType: false }));
    const sorted = [...declarations].sort((a, b) => compare(names.get(a), names.get(b)));
    texts.set(
      file,
      [
        ...(imported.length === 0
          ? []
          : [`import { ${imported.sort(compare).join(', ')} } from './${shared}.js';`]),
        ...externalImports(declarations),
        ...sorted.map((one) => render(one, names, declarationOf)),
        exportLine(
          'export',
          names,
          given.filter(({ isType }) => !isType),
        ),
        exportLine(
          'export type',
          names,
          given.filter(({ isType }) => isType),
        ),
      ]
        .map((part) => `${part}\n`)
        .join(''),
    );
  }
  return {
    texts,
    exports: Object.fromEntries(
      [...exported].map(([entry, list]) => [
        entry,
        list.map(({ name, declaration, isType }) => ({
          name,
          isType,
          refersTo: referencesOf(declaration, declarationOf).map(({ to }) => names.get(to)),
        })),
      ]),
    ),
  };
}

/** What a file declares, imports and exports. */
function readModule(path) {
  const text = readFileSync(path, 'utf8');
  const { body, comments } = { comments: [], ...parseAst(text, { lang: 'dts', astType: 'ts' }) };
  const module = {
    path,
    text,
    comments,
    declarations: new Map(),
    imports: new Map(),
    exports: new Map(),
    all: [],
  };
  let last = 0;
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      for (const { local, imported, type } of statement.specifiers)
        module.imports.set(local.name, {
          from: statement.source.value,
          name: type === 'ImportNamespaceSpecifier' ? '*' : imported.name,
        });
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
      for (const { local, exported, exportKind } of statement.specifiers)
        module.exports.set(exported.name, {
          from: statement.source?.value ?? null,
          name: local.name,
          isType: statement.exportKind === 'type' || exportKind === 'type',
        });
    } else if (statement.type === 'ExportAllDeclaration' && statement.exported === null) {
      module.all.push(statement.source.value);
    } else {
      const isExported = statement.type === 'ExportNamedDeclaration';
      const node = isExported ? statement.declaration : statement;
      for (const [name, part] of declared(node, path)) {
        const known = module.declarations.get(name);
        const piece = {
          node: part,
          start: node.start,
          end: node.end,
          comment: commentBefore(text, last, statement.start),
        };
        if (known === undefined)
          module.declarations.set(name, { module, name, isType: isTypeOnly(node), pieces: [piece] });
        else {
          known.pieces.push(piece);
          known.isType &&= isTypeOnly(node);
        }
        if (isExported) module.exports.set(name, { from: null, name, isType: false });
      }
    }
    last = statement.end;
  }
  return module;
}

function declared(node, path) {
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.declarations.length !== 1)
        throw new Error(`${path}: one declaration for each constant is expected`);
      return [[node.declarations[0].id.name, node]];
    case 'TSDeclareFunction':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return [[node.id.name, node]];
    default:
      throw new Error(`${path}: declarations of the kind ${node.type} cannot be rolled up`);
  }
}

function isTypeOnly({ type }) {
  return type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration';
}

/** The comment of documentation right before a statement; '' without one. */
function commentBefore(text, from, to) {
  return /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(text.slice(from, to))?.[0].trimEnd() ?? '';
}

/** The declaration behind a name of a file: its own, or one it imports. `null`: a global, or from another package. */
function resolveName(moduleAt, path, name) {
  const { declarations, imports, exports, all } = moduleAt(path);
  const own = declarations.get(name);
  if (own !== undefined) return own;
  const next = imports.get(name) ?? exports.get(name);
  if (next === undefined) {
    for (const from of all) {
      const found = resolveName(moduleAt, declarationFile(path, from), name);
      if (found !== null) return found;
    }
    return null;
  }
  if (next.from === null) return next.name === name ? null : resolveName(moduleAt, path, next.name);
  if (!next.from.startsWith('.')) return null;
  return mustBe(resolveName(moduleAt, declarationFile(path, next.from), next.name), name, path);
}

function declarationFile(from, specifier) {
  return resolve(dirname(from), specifier).replace(/\.[jt]s$/, '.d.ts');
}

function mustBe(declaration, name, path) {
  if (declaration === null) throw new Error(`${path}: "${name}" is not declared`);
  return declaration;
}

const references = new WeakMap();

/** Where a declaration names others of the project: `{ start, end, to }`; and itself, since it may be renamed. */
function referencesOf(declaration, declarationOf) {
  const known = references.get(declaration);
  if (known !== undefined) return known;
  const { path } = declaration.module;
  const found = [];
  for (const { node } of declaration.pieces)
    for (const use of usesIn(node)) {
      const to =
        use.source === null
          ? declarationOf(path, use.name)
          : use.source.startsWith('.')
            ? mustBe(declarationOf(declarationFile(path, use.source), use.name), use.name, path)
            : null;
      if (to !== null) found.push({ start: use.start, end: use.end, to });
    }
  references.set(declaration, found);
  return found;
}

/** The names that stand for something declared elsewhere, without those that the node itself binds. */
function usesIn(top) {
  const uses = [];
  const use = (node) => {
    if (node.type === 'Identifier')
      uses.push({ start: node.start, end: node.end, name: node.name, source: null });
    else if (node.type === 'TSQualifiedName') use(node.left);
    else if (node.type === 'MemberExpression') use(node.object);
  };
  const walk = (node, bound) => {
    if (Array.isArray(node)) return node.forEach((one) => walk(one, bound));
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    const inner = new Set([...bound, ...bindings(node)]);
    const before = uses.length;
    switch (node.type) {
      case 'TSTypeReference':
        use(node.typeName);
        break;
      case 'TSTypeQuery':
        if (node.exprName.type !== 'TSImportType') use(node.exprName);
        break;
      case 'TSInterfaceHeritage':
      case 'TSClassImplements':
        use(node.expression);
        break;
      case 'ClassDeclaration':
        if (node.superClass !== null) use(node.superClass);
        break;
      case 'TSImportType':
        if (node.qualifier?.type !== 'Identifier')
          throw new Error('import() of a whole module cannot be rolled up');
        uses.push({
          start: node.start,
          end: node.qualifier.end,
          name: node.qualifier.name,
          source: node.source.value,
        });
        break;
    }
    if (node.computed === true && node.key !== undefined) use(node.key);
    for (let at = before; at < uses.length; at += 1)
      if (uses[at].source === null && bound.has(uses[at].name)) uses.splice(at--, 1);
    for (const [key, child] of Object.entries(node)) if (key !== 'type') walk(child, inner);
  };
  walk(top, new Set());
  if ((top.id ?? null) !== null) use(top.id);
  if (top.type === 'VariableDeclaration') {
    const { id } = top.declarations[0];
    uses.push({ start: id.start, end: id.start + id.name.length, name: id.name, source: null });
  }
  return uses;
}

/** The type parameters and parameters that a node brings for what is inside it. */
function bindings(node) {
  const types = node.typeParameters?.params?.map((one) => one.name.name) ?? [];
  const parameters = Array.isArray(node.params)
    ? node.params.flatMap((one) => (one.type === 'Identifier' ? [one.name] : []))
    : [];
  const mapped = node.type === 'TSMappedType' ? [node.key.name ?? node.key] : [];
  const inferred = node.type === 'TSConditionalType' ? inferredIn(node.extendsType) : [];
  return [...types, ...parameters, ...mapped, ...inferred];
}

function inferredIn(node) {
  if (node === null || typeof node !== 'object') return [];
  if (node.type === 'TSInferType') return [node.typeParameter.name.name];
  return Object.values(node).flatMap(inferredIn);
}

/** Public names first, since they should stay as they are; of those that share a name, the second gets a number. */
function nameAll(declarations, publicNames) {
  const names = new Map();
  const taken = new Set();
  const isPublic = (declaration) => publicNames.has(declaration);
  for (const declaration of [
    ...declarations.filter(isPublic),
    ...declarations.filter((one) => !isPublic(one)),
  ]) {
    const wanted = publicNames.get(declaration) ?? declaration.name;
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`;
    taken.add(name);
    names.set(declaration, name);
  }
  return names;
}

function render(declaration, names, declarationOf) {
  const { text } = declaration.module;
  const uses = referencesOf(declaration, declarationOf);
  return declaration.pieces
    .map(({ start, end, comment, node }) => {
      let out = '';
      let last = start;
      for (const { start: from, end: to, to: target } of uses
        .filter((one) => one.start >= start && one.end <= end)
        .sort((a, b) => a.start - b.start)) {
        out += text.slice(last, from) + names.get(target);
        last = to;
      }
      const code = (out + text.slice(last, end)).replace(/^declare /, '');
      return `${comment === '' ? '' : `${comment}\n`}${isTypeOnly(node) ? '' : 'declare '}${code}`;
    })
    .join('\n');
}

/** The imports from other packages that these declarations need, node:* included. */
function externalImports(declarations) {
  const wanted = new Map();
  for (const { module, pieces } of declarations)
    for (const { node } of pieces)
      for (const { name, source } of usesIn(node)) {
        const external = module.imports.get(name);
        if (source === null && external !== undefined && !external.from.startsWith('.'))
          wanted.set(external.from, new Map([...(wanted.get(external.from) ?? []), [name, external.name]]));
      }
  return [...wanted].map(
    ([from, list]) =>
      `import type { ${[...list].map(([local, name]) => exportOf(name, local)).join(', ')} } from '${from}';`,
  );
}

function exportLine(keyword, names, given) {
  const parts = given.map(({ name, declaration }) => exportOf(names.get(declaration), name)).sort(compare);
  return `${keyword} { ${parts.join(', ')} };`;
}

function exportOf(local, name) {
  return local === name ? name : `${local} as ${name}`;
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

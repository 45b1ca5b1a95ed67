// TypeScript text → the small changes that a test of it should notice.
//
// M1. A change replaces one range of the text, and the file still parses.
// M2. Types, imports and the texts of messages are left alone: no test could or should notice them.
// M3. A mutant is named by its file, the text of its line and its change, so a name outlives edits elsewhere in the file.
import { parseSync } from 'rolldown/utils';

const comparisons = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' };
const sums = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=' };
const methods = {
  every: 'some',
  some: 'every',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};
/** What only says that a place cannot be reached. */
const unreachable = /^(?:unreachable|assertNever)\(/;

/** The mutants of `text`, in the order of their places. */
export function findMutants(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const found = [];
  visit(program, (node) => found.push(...changesOf(node, text)));
  const lines = lineStarts(text);
  const named = new Map();
  return found
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((change) => {
      const line = lines.findLastIndex((start) => start <= change.start);
      const onLine = text.slice(lines[line], lines[line + 1]).trim();
      const what = `${shorten(text.slice(change.start, change.end))} → ${shorten(change.replacement)}`;
      const key = `${onLine}\n${what}`;
      const nth = (named.get(key) ?? 0) + 1;
      named.set(key, nth);
      return { file, line: line + 1, onLine, change: what, nth, ...change };
    });
}

/** The text with the change made. */
export const applyMutant = (text, { start, end, replacement }) =>
  text.slice(0, start) + replacement + text.slice(end);

function changesOf(node, text) {
  const whole = (replacement) => [{ start: node.start, end: node.end, replacement }];
  const replace = ({ start, end }, replacement) => ({ start, end, replacement });
  switch (node.type) {
    case 'BinaryExpression':
    case 'AssignmentExpression': {
      const other = comparisons[node.operator] ?? (isText(node) ? undefined : sums[node.operator]);
      return other === undefined ? [] : [operatorOf(node, text, other)];
    }
    case 'LogicalExpression': {
      if (node.operator === '??') return [replace(node, `(${text.slice(node.left.start, node.left.end)})`)];
      return [operatorOf(node, text, node.operator === '&&' ? '||' : '&&')];
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      return [replace(node.test, 'true'), replace(node.test, 'false')];
    case 'WhileStatement':
      return [replace(node.test, 'false')];
    case 'UnaryExpression':
      return node.operator === '!' ? whole(text.slice(node.argument.start, node.argument.end)) : [];
    case 'Literal':
      if (typeof node.value === 'boolean') return whole(String(!node.value));
      return typeof node.value === 'number' ? whole(String(node.value + 1)) : [];
    case 'ExpressionStatement': {
      // A directive, or what only guards types, is no behaviour.
      if (typeof node.directive === 'string' || unreachable.test(text.slice(node.start, node.end))) return [];
      return whole(';');
    }
    case 'ThrowStatement':
      return whole(';');
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.computed) return [];
      const other = Object.hasOwn(methods, callee.property.name) ? methods[callee.property.name] : undefined;
      return other === undefined ? [] : [replace(callee.property, other)];
    }
    default:
      return [];
  }
}

/** The change of the operator between the two sides of `node`. */
function operatorOf(node, text, replacement) {
  const start = text.indexOf(node.operator, node.left.end);
  return { start, end: start + node.operator.length, replacement };
}

/** Whether the sum joins texts: `-` would make it NaN, which says nothing about the code. */
const isText = ({ left, right }) => [left, right].some(joinsText);
function joinsText(node) {
  if (node.type === 'TemplateLiteral') return true;
  if (node.type === 'Literal') return typeof node.value === 'string';
  return node.type === 'BinaryExpression' && node.operator === '+' && isText(node);
}

/** Calls `see` for every node that is executed. */
function visit(node, see) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, see);
    return;
  }
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string' || isType(node)) return;
  see(node);
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'typeAnnotation' && typeof child === 'object') visit(child, see);
  }
}
const isType = ({ type }) =>
  type === 'ImportDeclaration' ||
  (type.startsWith('TS') &&
    !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSEnumDeclaration'].includes(type));

function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function shorten(text) {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length <= 60 ? flat : `${flat.slice(0, 40)} … ${flat.slice(-17)}`;
}

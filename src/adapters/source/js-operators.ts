import type { Break } from './edits.ts';
import { getNode, type Node } from './js-tree.ts';

type Found = Omit<Break, 'unit' | 'kind' | 'line'>;

const SWAPS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
};

/** The ways in which one node can be broken. */
export function getBreaksOf(node: Node, text: string): readonly Found[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return getSwapped(node, text);
    case 'BooleanLiteral':
      return [replace(node, String(!node.value), `${node.value} became ${!node.value}`)];
    case 'NumericLiteral':
      return [replace(node, String((node.value as number) + 1), `${node.value} became another number`)];
    case 'StringLiteral':
      return [replace(node, node.value === '' ? "'mutated'" : "''", 'a text became another')];
    case 'TemplateLiteral':
      return [replace(node, '``', 'a text became empty')];
    case 'ReturnStatement':
      return getWithout(getNode(node, 'argument'), 'undefined', 'nothing is returned');
    case 'ArrowFunctionExpression':
      return node.expression === true || getNode(node, 'body')?.type !== 'BlockStatement'
        ? getWithout(getNode(node, 'body'), 'undefined', 'nothing is returned')
        : [];
    case 'IfStatement':
    case 'WhileStatement':
    case 'ConditionalExpression':
      return getNegated(getNode(node, 'test'), text);
    case 'ThrowStatement':
      return [replace(node, ';', 'an error is no longer thrown')];
    case 'ExpressionStatement':
      return /^(Call|Await|Assignment|Update|OptionalCall)Expression$/.test(
        getNode(node, 'expression')?.type ?? '',
      )
        ? [replace(node, ';', 'a statement was left out')]
        : [];
    default:
      return [];
  }
}

function replace(node: Node, text: string, what: string): Found {
  return { start: node.start, end: node.end, text, what };
}

function getSwapped(node: Node, text: string): readonly Found[] {
  const [left, right] = [getNode(node, 'left'), getNode(node, 'right')];
  const operator = node.operator as string;
  const swap = SWAPS[operator];
  if (!left || !right || swap === undefined) return [];
  const at = text.slice(left.end, right.start).indexOf(operator);
  if (at === -1) return [];
  const start = left.end + at;
  return [{ start, end: start + operator.length, text: swap, what: `${operator} became ${swap}` }];
}

function getWithout(node: Node | null, text: string, what: string): readonly Found[] {
  if (!node || (node.type === 'Identifier' && node.name === 'undefined')) return [];
  return [replace(node, text, what)];
}

function getNegated(test: Node | null, text: string): readonly Found[] {
  if (!test) return [];
  return [replace(test, `!(${text.slice(test.start, test.end)})`, 'a condition was negated')];
}

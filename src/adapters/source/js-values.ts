import type { Edit } from './edits.ts';
import { getName, getNode, getNodes, type Node } from './js-tree.ts';

/** What an altered number is away from the true one. */
const OFFSET = 4_211;

/** Puts another value of the same type in the place of an expected one. */
export function getOtherValue(node: Node, text: string, nonce: string, isTypeScript: boolean): Edit {
  const inner = getInner(node);
  if (inner) return getOtherValue(inner, text, nonce, isTypeScript);
  const word = JSON.stringify(nonce);
  const put = (value: string): Edit => ({ start: node.start, end: node.end, text: value });
  switch (node.type) {
    case 'NumericLiteral':
      return put(getOtherNumber(node.value as number));
    case 'UnaryExpression': {
      const value = getNode(node, 'argument')?.value;
      return put(typeof value === 'number' ? getOtherNumber(-value) : word);
    }
    case 'BigIntLiteral':
      return put(`${BigInt(node.value as string) + BigInt(OFFSET)}n`);
    case 'BooleanLiteral':
      return put(String(!node.value));
    case 'StringLiteral':
      return put(JSON.stringify(`${node.value as string}${nonce}`));
    case 'TemplateLiteral':
      return { start: node.end - 1, end: node.end - 1, text: nonce };
    case 'ArrayExpression':
      return put(`[${word}]`);
    case 'ObjectExpression':
      return put(`{ ${word}: ${word} }`);
    default:
      return put(isTypeScript ? `(${word} as any)` : word);
  }
}

/** The literal inside a list, a record or a cast that is altered in their stead. */
function getInner(node: Node): Node | null {
  if (/^(TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|ParenthesizedExpression)$/.test(node.type))
    return getNode(node, 'expression');
  if (node.type === 'ArrayExpression')
    return getNodes(node, 'elements').find(each => each.type !== 'SpreadElement') ?? null;
  if (node.type !== 'ObjectExpression') return null;
  const property = getNodes(node, 'properties').find(
    each =>
      each.type === 'ObjectProperty' && getName(getNode(each, 'key')) !== '__proto__' && !each.shorthand,
  );
  return property ? getNode(property, 'value') : null;
}

function getOtherNumber(value: number): string {
  const other = value + OFFSET;
  return String(Number.isFinite(other) && other !== value ? other : 1);
}

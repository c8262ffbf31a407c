import path from 'node:path';
import ts from 'typescript';
import type { SourceText } from './tree.ts';

export interface Import {
  /** A path from the root for a file of the project, else the name of the package. */
  to: string;
  isOwn: boolean;
  /** Gone at run time. */
  isType: boolean;
}

/** What a file imports, re-exports or loads later. */
export function importsOf(file: SourceText): Import[] {
  return nodesOf(file).flatMap((node) => {
    const found = specifierOf(node);
    return found ? [resolved(file.path, found)] : [];
  });
}

export function readsEnvironment(file: SourceText): boolean {
  return nodesOf(file).some(
    (node) => ts.isPropertyAccessExpression(node) && node.getText() === 'process.env',
  );
}

function nodesOf({ path: name, text }: SourceText): ts.Node[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return nodes;
}

interface Specifier {
  text: string;
  isType: boolean;
}

function specifierOf(node: ts.Node): Specifier | null {
  if (ts.isImportDeclaration(node)) {
    const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return named(node.moduleSpecifier, isType);
  }
  if (ts.isExportDeclaration(node)) return named(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return named(node.argument.literal, true);
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? named(node.arguments[0], false) : null;
}

function named(node: ts.Node | undefined, isType: boolean): Specifier | null {
  return node && ts.isStringLiteralLike(node) ? { text: node.text, isType } : null;
}

function resolved(from: string, { text, isType }: Specifier): Import {
  const isOwn = text.startsWith('.');
  const to = isOwn ? path.posix.join(path.posix.dirname(from), text) : packageOf(text);
  return { to, isOwn, isType };
}

/** `@temporalio/common/lib/time.js` is of `@temporalio/common`. */
function packageOf(text: string): string {
  const parts = text.split('/');
  return parts.slice(0, text.startsWith('@') ? 2 : 1).join('/');
}

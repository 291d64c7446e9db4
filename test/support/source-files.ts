import {readdirSync, readFileSync} from 'node:fs'
import {dirname, join, relative, sep} from 'node:path'
import {fileURLToPath} from 'node:url'

type Import = {
  /** As it is written. */
  readonly from: string
  /** Path below the root of the repository, such as `src/core/errors.ts`; undefined for a package. */
  readonly file?: string
  /** `import type`, which leaves nothing in the built program. */
  readonly isType: boolean
  /** `await import(…)`, which loads only when it is reached. */
  readonly isLazy: boolean
}

export type SourceFile = {
  /** Below the root of the repository, such as `src/client/client.ts`. */
  readonly path: string
  readonly text: string
  /** The text without comments and without the insides of plain strings. */
  readonly code: string
  readonly lines: number
  readonly imports: readonly Import[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every TypeScript file below a folder of the repository. */
export function readSourceFiles(folder: string): SourceFile[] {
  const names = readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
  return names
    .filter((name) => name.endsWith('.ts') && !name.split(sep).includes('node_modules'))
    .sort()
    .map((name) => toSourceFile(join(folder, name), readFileSync(join(root, folder, name), 'utf8')))
}

/** A source file from its path below the root and its text. */
export function toSourceFile(path: string, text: string): SourceFile {
  return {path, text, code: toCode(text), lines: text.trimEnd().split('\n').length, imports: findImports(path, text)}
}

const commentOrString = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g

function toCode(text: string): string {
  return text.replaceAll(commentOrString, (found) => (found.startsWith('/') ? ' ' : found.charAt(0).repeat(2)))
}

const staticImport = /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm
const lazyImport = /(typeof\s+)?\bimport\(\s*'([^']+)'\s*\)(\.[A-Z])?/g

function findImports(path: string, text: string): Import[] {
  const fixed = [...text.matchAll(staticImport)].map(([, type, from = '']) =>
    toImport(path, from, {isType: type !== undefined, isLazy: false}),
  )
  const lazy = [...text.matchAll(lazyImport)].map(([, type, from = '', member]) =>
    toImport(path, from, {isType: type !== undefined || member !== undefined, isLazy: true}),
  )
  return [...fixed, ...lazy]
}

function toImport(path: string, from: string, how: {isType: boolean; isLazy: boolean}): Import {
  if (!from.startsWith('.')) return {from, ...how}
  const file = relative(root, join(root, dirname(path), from)).replace(/\.js$/, '.ts')
  return {from, file, ...how}
}

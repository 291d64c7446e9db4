import {operationIds} from '../../src/contract/index.js'
import {
  borders,
  calls,
  dataFiles,
  deviations,
  heavy,
  longest,
  longestCommand,
  mayImport,
  mayLoadFirst,
  mayNameOperations,
  mostImports,
  ownParts,
  pureFolders,
  pureModules,
} from './architecture-rules.js'
import type {SourceFile} from './source-files.js'

/** The folder below `src`, or the file when it lies at the top; some folders in them are parts of their own. */
function partOf(path: string): string {
  const own = ownParts.find((part) => path.startsWith(`src/${part}/`))
  if (own !== undefined) return own
  return path.split('/')[1] ?? path
}

export function findWrongDirections({path, imports}: SourceFile): string[] {
  const part = partOf(path)
  const allowed = mayImport[part]
  if (!allowed) return [`${path}: an unknown part`]
  return imports
    .flatMap(({file}) => (file === undefined ? [] : [file]))
    .filter(
      (file) => partOf(file) !== part && ![partOf(file), file.slice('src/'.length)].some((to) => allowed.includes(to)),
    )
    .map((file) => `${path} -> ${file}`)
}

export function findRowsInFormats({path, imports}: SourceFile): string[] {
  const rows = imports.filter(({file, isType}) => file?.startsWith('src/contract/') && !isType)
  return partOf(path) === 'formats' && rows.length > 0 ? [`${path}: rows of the contract`] : []
}

export function findCrossedBorders({path, imports}: SourceFile): string[] {
  const inSource = path.slice('src/'.length)
  return imports
    .filter(({file, from}) => file === undefined && !isAllowedPackage(inSource, partOf(path), from))
    .map(({from}) => `${path} -> ${from}`)
}

function isAllowedPackage(inSource: string, part: string, from: string): boolean {
  const border = borders[packageOf(from)]
  if (border) return border.test(inSource)
  return from.startsWith('node:') && (!pureFolders.includes(part) || pureModules.includes(from))
}

/** `csv-stringify/sync` belongs to `csv-stringify`, `@oclif/core/interfaces` to `@oclif/core`. */
export function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
}

export function findForbiddenCalls({path, code}: SourceFile): string[] {
  const inSource = path.slice('src/'.length)
  const broken = calls.filter(({pattern, allowed}) => pattern.test(code) && !allowed.test(inSource))
  return broken.map(({what}) => `${path}: ${what}`)
}

const comment = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*/g
const operationInText = new RegExp(
  `['"\`](?:[^'"\`\\n]*[^\\w.'"\`\\n])?(${operationIds.map((id) => id.replaceAll('.', '\\.')).join('|')})(?![\\w.-])`,
  'g',
)

/** Operation ids as texts where the row of an operation should be asked instead. */
export function findNamedOperations({path, text}: SourceFile): string[] {
  if (mayNameOperations.test(path)) return []
  const found = text.replaceAll(comment, ' ').matchAll(operationInText)
  return [...new Set(Array.from(found, ([, id]) => `${path}: ${id}`))]
}

export function isNotExcused(found: string): boolean {
  return !Object.hasOwn(deviations, found)
}

export function limitOf(path: string): number {
  if (path.startsWith('src/contract/') || dataFiles.includes(path)) return Number.POSITIVE_INFINITY
  return path.startsWith('src/commands/') ? longestCommand : longest
}

/** Chains of imports, types included and lazy ones not, that end where they began; each cycle once. */
export function findCycles(all: readonly SourceFile[]): string[] {
  const next = new Map(all.map((source) => [source.path, importedFilesOf(source)]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, chain: string[]): void => {
    if (chain.includes(path)) cycles.push([...chain.slice(chain.indexOf(path)), path].join(' -> '))
    if (chain.includes(path) || done.has(path)) return
    for (const file of next.get(path) ?? []) visit(file, [...chain, path])
    done.add(path)
  }
  for (const {path} of all) visit(path, [])
  return cycles
}

/** Chains of files from a command to a heavy package, all loaded at once. */
export function findHeavyPaths(start: string, sources: readonly SourceFile[]): string[] {
  return findPaths(start, sources, (to) => heavy.includes(packageOf(to)))
}

/** Chains of files from a command to work that is loaded although the words may be wrong. */
export function findEarlyWork(start: string, sources: readonly SourceFile[]): string[] {
  return findPaths(start, sources, (to) => !mayLoadFirst.some((allowed) => allowed.test(to)))
}

/** Chains from a file to the first files or packages of which `isWrong` holds, all loaded at once. */
function findPaths(start: string, sources: readonly SourceFile[], isWrong: (to: string) => boolean): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const seen = new Set<string>()
  const visit = (path: string, chain: string): string[] => {
    const source = byPath.get(path)
    if (!source || seen.has(path)) return []
    seen.add(path)
    const next = source.imports.filter(({isType, isLazy}) => !isType && !isLazy).map(({file, from}) => file ?? from)
    return next.flatMap((to) => (isWrong(to) ? [`${chain} -> ${to}`] : visit(to, `${chain} -> ${to}`)))
  }

  return visit(start, start)
}

function importedFilesOf({imports}: SourceFile): string[] {
  return imports.flatMap(({file, isLazy}) => (file === undefined || isLazy ? [] : [file]))
}

/** Files of `cli` that load more others than a form does. */
export function findBusyForms({path, imports}: SourceFile): string[] {
  const count = imports.filter(({isLazy}) => !isLazy).length
  return path.startsWith('src/cli/') && count > mostImports ? [`${path}: ${count}`] : []
}

/** Pairs of folders whose files import each other both ways, types included. */
export function findTwoWayFolders(sources: readonly SourceFile[]): string[] {
  const arrows = new Set(
    sources.flatMap(({path, imports}) =>
      imports.flatMap(({file}) => (file === undefined ? [] : [`${folderOf(path)} -> ${folderOf(file)}`])),
    ),
  )
  return [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' -> ') as [string, string]
    return from < to && arrows.has(`${to} -> ${from}`)
  })
}

/** Names that more than one file has, but for commands and what stands for a folder. */
export function findRepeatedNames(sources: readonly SourceFile[]): string[] {
  const named = sources.map(({path}) => path).filter((path) => !/^src\/commands\/|\/index\.ts$/.test(path))
  const byName = Map.groupBy(named, (path) => path.slice(path.lastIndexOf('/') + 1))
  return [...byName.values()].filter(({length}) => length > 1).map((paths) => paths.join(' '))
}

/** Files under 40 lines that only one other imports; what stands for a folder, and commands, aside. */
export function findSmallParts(sources: readonly SourceFile[]): string[] {
  const importers = new Map<string, Set<string>>()
  for (const {path, imports} of sources) {
    for (const {file} of imports) if (file) importers.set(file, (importers.get(file) ?? new Set()).add(path))
  }
  const isPart = ({path, lines}: SourceFile) => {
    const [only = '', ...more] = importers.get(path) ?? []
    const isOfTable = only.endsWith('/index.ts') || only.endsWith('/format-table.ts') // a format is a file of its own
    return lines < 40 && more.length === 0 && only !== '' && !isOfTable
  }
  return sources.filter((source) => !source.path.startsWith('src/commands/') && isPart(source)).map(({path}) => path)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

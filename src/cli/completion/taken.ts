import type {ArgumentFacts, FlagFacts} from '../help/facts.js'
import type {SourceName} from './sources.js'

/**
 * What a flag or an argument takes. A `list` is separated by commas, a `sort` too and each may have a minus; a `pair`
 * is a name with an operator and a value; `target` a pair whose value is chosen; `fault` is NAME@OPERATION.
 */
export type Taken =
  | {form: 'nothing' | 'files' | 'list-or-file'}
  | {form: 'options'; options: readonly string[]}
  | {form: 'word' | 'list' | 'sort' | 'pair' | 'target' | 'fault'; source: SourceName}

const dates = ['today', 'yesterday', 'now', '-1d', '-7d', '-30d', '-12h']

const byFlag: Readonly<Record<string, Taken>> = {
  profile: {form: 'word', source: 'profiles'},
  confirm: {form: 'word', source: 'profiles'},
  columns: {form: 'list', source: 'columns'},
  sort: {form: 'sort', source: 'columns'},
  where: {form: 'pair', source: 'columns'},
  filter: {form: 'pair', source: 'filters'},
  map: {form: 'target', source: 'fields'},
  start: {form: 'options', options: dates},
  end: {form: 'options', options: dates},
}

/** By command and argument, or by the argument alone. */
const byArgument: Readonly<Record<string, Taken>> = {
  file: {form: 'files'},
  id: {form: 'word', source: 'runs'},
  code: {form: 'word', source: 'codes'},
  method: {form: 'word', source: 'methods'},
  path: {form: 'word', source: 'routes'},
  operation: {form: 'word', source: 'documents'},
  name: {form: 'word', source: 'profiles'},
  settings: {form: 'pair', source: 'settings'},
  faults: {form: 'fault', source: 'faults'},
}

export function takenByFlag({name, options, helpValue: shown = ''}: FlagFacts): Taken {
  const helpValue = [shown].flat().join(' ')
  if (options !== undefined) return {form: 'options', options}
  const known = Object.hasOwn(byFlag, name) ? byFlag[name] : undefined
  if (known) return known
  if (/^(PATH|FILE)(\|-)?$/.test(helpValue)) return {form: 'files'}
  if (helpValue.endsWith('|@FILE')) return {form: 'list-or-file'}
  return /^[a-z]+(\|[a-z]+)+$/.test(helpValue) ? {form: 'options', options: helpValue.split('|')} : {form: 'nothing'}
}

export function takenByArgument({name, options}: ArgumentFacts): Taken {
  if (options !== undefined) return {form: 'options', options}
  return (Object.hasOwn(byArgument, name) ? byArgument[name] : undefined) ?? {form: 'nothing'}
}

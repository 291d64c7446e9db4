import {type Answer, answer, type Candidate, filesAnswer} from './answer.js'
import type {Choice, Sources} from './sources.js'
import type {Taken} from './taken.js'

export type Asked = {
  taken: Taken
  /** The value as typed so far. */
  typed: string
  /** What stands before it in the same word, such as `--output=`. */
  fixed: string
  commandId: string
  sources: Sources
}

/** What may stand in the place of a value. */
export async function offerValues({taken, typed, fixed, commandId, sources}: Asked): Promise<Answer> {
  if (taken.form === 'files') return filesAnswer(typed, fixed)
  if (taken.form === 'list-or-file') return offerListFile(typed, fixed)
  if (taken.form === 'options') return answer(typed, toCandidates(taken.options.map((value) => ({value}))), fixed)
  if (!('source' in taken)) return answer(typed, [], fixed)
  const choices = await sources(taken.source, commandId)
  if (taken.form === 'word') return answer(typed, toCandidates(choices), fixed)
  if (taken.form === 'list') return offerList(typed, fixed, choices, /^(?:.*,)?/s)
  if (taken.form === 'sort') return offerList(typed, fixed, choices, /^(?:.*,)?-?/s)
  if (taken.form === 'pair') return offerPair(typed, fixed, choices)
  if (taken.form === 'target') return offerTarget(typed, fixed, choices)
  return offerFault(typed, fixed, choices, await sources('operations', commandId))
}

/** Ids are not known here; a file of them may be. */
function offerListFile(typed: string, fixed: string): Answer {
  return typed.startsWith('@') ? filesAnswer(typed.slice(1), `${fixed}@`) : answer(typed, [], fixed)
}

function offerList(typed: string, fixed: string, choices: readonly Choice[], beginning: RegExp): Answer {
  const done = beginning.exec(typed)?.[0] ?? ''
  const chosen = done.split(',').map((name) => name.replace(/^-/, ''))
  const left = choices.filter(({value}) => !chosen.includes(value))
  return answer(typed.slice(done.length), toCandidates(left, true), `${fixed}${done}`)
}

function offerPair(typed: string, fixed: string, choices: readonly Choice[]): Answer {
  const [whole, name, operator = ''] = /^([^=!~]*)(=|!=|~)/.exec(typed) ?? []
  if (whole === undefined) {
    const names = choices.map(({value, about}) => ({value: `${value}=`, about, open: true}))
    return answer(typed, names, fixed)
  }
  const values = choices.find(({value}) => value === name)?.values ?? []
  const candidates = operator === '~' ? [] : values.map((value) => ({value}))
  return answer(typed.slice(whole.length), candidates, `${fixed}${whole}`)
}

/** What stands before the sign comes from a file that is not known here. */
function offerTarget(typed: string, fixed: string, choices: readonly Choice[]): Answer {
  const end = typed.lastIndexOf('=') + 1
  return answer(typed.slice(end), end > 0 ? toCandidates(choices) : [], `${fixed}${typed.slice(0, end)}`)
}

function offerFault(typed: string, fixed: string, faults: readonly Choice[], operations: readonly Choice[]): Answer {
  const end = typed.lastIndexOf('@') + 1
  if (end === 0) {
    const names = faults.map(({value, about}) => ({value: `${value}@`, about, open: true}))
    return answer(typed, names, fixed)
  }
  const any = {value: '*', about: 'Every operation.'}
  return answer(typed.slice(end), toCandidates([...operations, any], true), `${fixed}${typed.slice(0, end)}`)
}

function toCandidates(choices: readonly Choice[], open = false): Candidate[] {
  return choices.map(({value, about}) => ({value, about, ...(open && {open})}))
}

import type {WriteAnswer} from '../../client/types.js'
import {toForeignCode} from '../../contract/failure-codes.js'
import {type ExitName, isExitName} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {isRecord, type JsonRecord, type JsonValue, parsePrinted, printJson} from '../../values/json.js'
import type {NotTried} from '../rows/phases.js'

/** An answer as the journal keeps it; records that came back are left out, for they can be read again. */
export function toAnswerText(answer: WriteAnswer | NotTried): string {
  if (answer.fate === 'applied') {
    const {ids, now} = answer
    return printJson({fate: 'applied', ids, ...(now && {now})})
  }
  if (answer.fate !== 'unsent') return JSON.stringify(answer)
  const {failure} = answer
  const known = failure instanceof CliFailure ? {code: failure.code, exit: failure.exit, hints: failure.hints} : {}
  return printJson({fate: 'unsent', message: failure.message, ...known})
}

/** The answer that `toAnswerText` kept. Throws `TypeError` for what it never wrote. */
export function fromAnswerText(text: string): WriteAnswer {
  const value = parsePrinted(text)
  const record: JsonRecord = isRecord(value) ? value : {}
  const {fate} = record
  if (fate === 'applied') {
    const {ids, now} = record
    return {fate, ids: ids as JsonValue[], records: [], ...(Array.isArray(now) && {now})}
  }
  if (fate === 'unsent') return {fate, failure: toFailure(record)}
  if (fate === 'refused' || fate === 'inDoubt') return JSON.parse(text) as WriteAnswer
  throw new TypeError('no answer')
}

function toFailure({message, code, exit, hints}: JsonRecord): CliFailure {
  const name: ExitName = typeof exit === 'string' && isExitName(exit) ? exit : 'failure'
  return new CliFailure(String(message), {
    code: typeof code === 'string' ? toForeignCode(code) : 'NOT_SENT',
    exit: name,
    retry: 'safe',
    hints: Array.isArray(hints) ? hints.map(String) : [],
  })
}

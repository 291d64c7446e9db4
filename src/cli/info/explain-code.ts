import {CliFailure} from '../../core/errors.js'
import {type Explanation, explain, knownCodes} from '../../derive/explain.js'
import type {JsonRecord} from '../../values/json.js'
import {foldFor} from '../terminal/fold-text.js'
import {simpleTable} from '../terminal/simple-table.js'

type Explained = {data: JsonRecord[]; text: string}

/** The explanation of one code, or an overview of all. Throws `usage` for an unknown code. */
export async function explainCode(code: string | undefined): Promise<Explained> {
  if (code === undefined) return toOverview()
  const {found, suggestion} = explain(code)
  if (found.length === 0)
    throw new CliFailure(`Unknown code: ${code}`, {
      code: 'UNKNOWN_CODE',
      hints: [suggestion ? `Did you mean ${suggestion}?` : '', 'See all codes with: vendorctl explain'].filter(Boolean),
    })
  return {
    data: found.map((one) => ({...one})),
    text: foldFor(process.stdout, `${found.map(describeExplanation).join('\n\n')}\n`),
  }
}

async function toOverview(): Promise<Explained> {
  const all = knownCodes().flatMap((code) => explain(code).found.filter((row) => row.code === code))
  const cells = all.map(({kind, code, number, meaning}) => [kind, code, String(number), meaning])
  return {data: all.map((one) => ({...one})), text: await simpleTable(['kind', 'code', 'number', 'meaning'], cells)}
}

const numberWords = {
  refusal: 'HTTP status',
  gateway: 'HTTP status',
  exit: 'exit code',
  problem: 'problem of a file, exit code',
  row: 'code of a row, exit code',
  failure: 'failure, exit code',
} as const

export function describeExplanation(explanation: Explanation): string {
  const {kind, code, number, meaning, changed, again, hint, commands} = explanation
  const lines = [
    `${code} (${numberWords[kind]} ${number})`,
    `  Meaning      ${meaning}`,
    `  Changed      ${changed}`,
    `  Send again?  ${again}`,
    `  What to do   ${hint}`,
    commands.length > 0 ? `  Seen with    ${commands.join(', ')}` : '',
  ]
  return lines.filter(Boolean).join('\n')
}

import {findReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {NamedExport} from '../../reports/register/list-named.js'
import {refuseReset, resetNamed} from '../../reports/register/move-marks.js'
import {describeLeft, findOneNamed, runOfName, shortScope} from '../../reports/register/named-steps.js'
import type {WaitingElsewhere} from '../../reports/register/shared-marks.js'
import {millisecondsPerHour, toDateTime, toMilliseconds} from '../../values/date-time.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'
import {type AskFlags, askConfirmation, canAsk, notConfirmed} from '../terminal/prompt.js'
import {listAllNamed, openMarksOf, withRegister} from './export-store.js'

/** The local time furthest behind UTC. */
const furthestBehindUtc = 12 * millisecondsPerHour

type ResetFlags = AskFlags & {to: string; scope?: string | undefined; yes?: boolean | undefined}

/** Sets the mark of a name after showing what that means. Throws `locked` while a run of the name is in progress. */
export async function resetName(name: string, flags: ResetFlags, context: CommandContext): Promise<void> {
  const {environment, messages, present} = context
  const to = toMoment(flags.to)
  const named = findOneNamed(await listAllNamed(environment), name, flags.scope)
  const meaning = describeReset(named, to)
  const isReset = await withRegister(environment, async (store) => {
    refuseReset(named, to, {folder: store.folder, run: runOfName(named)})
    if (flags.yes !== true && !canAsk(flags)) throw notConfirmed(`${meaning.join(' ')} Nothing was reset.`)
    messages.note(meaning)
    if (flags.yes !== true && !(await askConfirmation(`Reset ${name}?`, {above: meaning.join('\n')}))) return false
    const shared = await openMarksOf(named.key, environment)
    try {
      const waiting = await resetNamed(named, to, {...store, shared}, async () => {
        const {state, ...now} = findOneNamed(await listAllNamed(environment), name, named.scope)
        if (describeReset({...now, state: named.state}, to).join() !== meaning.join())
          throw new CliFailure(`A run of ${name} ended meanwhile; nothing was reset.`, {
            code: 'RESET_REFUSED',
            hints: [`Look again: ${commandLine('exports show', [name])}`],
          })
      })
      for (const file of waiting) if (file.from < to) context.caution(describeGivenUp(file, name, to))
    } finally {
      await shared?.close()
    }
    return true
  })
  if (!isReset) {
    messages.note('Cancelled; nothing was reset.')
    return present({data: null, exit: 'failure'})
  }
  const nextFrom = nextStartOf(named, to)
  messages.note(`The next run of ${name} reads from ${nextFrom} on.`)
  const dropped = named.file?.path ?? null
  const before = {mark: named.mark?.at ?? null, nextFrom: named.mark?.nextStart ?? null}
  await present({data: {name, scope: shortScope(named), before, after: {mark: to, nextFrom}, dropped}})
}

/** The date of `--to`. Throws `usage` for one that is wrong or in the future. */
function toMoment(text: string): string {
  const now = systemClock.now()
  const to = resolveDate(text, 'start', now, {flag: 'to'})
  if ((toMilliseconds(to) ?? 0) <= now) return to
  throw new CliFailure(`--to ${text} is in the future: what happens until then would never be read.`, {
    code: 'RESET_DATE',
    hints: ['Give the date of --to that the next run reads from, such as yesterday.'],
  })
}

function nextStartOf({facts, mark}: NamedExport, to: string): string {
  return facts.isList && mark?.nextStart !== undefined && mark.nextStart < to ? mark.nextStart : to
}

/** Changes by a reset, and their consequences for records. */
export function describeReset(named: NamedExport, to: string): string[] {
  const {name, mark, file, facts, last, announced} = named
  if (facts.isList)
    return [
      `${name}: mark ${mark?.at ?? 'none'} → ${to}.`,
      `All records that began from ${to} on are listed again; of earlier ones those that change after the last run.`,
    ]
  const isForward = mark !== undefined && to > mark.at
  const isUtc = findReport(facts.command)?.range.clock === 'utc'
  const isAhead = isForward && !isUtc && to > toDateTime(systemClock.now() - furthestBehindUtc)
  return [
    `${name}: mark ${mark?.at ?? 'none'} → ${to}; the next run reads from ${to} on${mark ? ` instead of ${mark.nextStart ?? mark.at}` : ''}.`,
    isForward
      ? `Records from ${mark.nextStart ?? mark.at} up to ${to} that no run has written yet are skipped: no later run of ${name} reads them.`
      : `All records from ${to} on are read again and written again into new files, also those in earlier files.`,
    ...(isAhead
      ? [`So is what machines behind UTC sell until their clocks show ${to}, unless --time-basis is utc.`]
      : []),
    ...(isForward && mark.isFromNothing
      ? [`Records from ${to} on in earlier files are written again: they were forgotten when the mark was set back.`]
      : []),
    ...(facts.isAppended && !isForward && last
      ? [
          `The next run does not append them a second time to ${last.file ?? 'its file'}: give it another --output-file.`,
        ]
      : []),
    ...(announced ? [`Not recorded any more: ${announced.path}, which ${announced.host} announced as complete.`] : []),
    ...(file ? [`Dropped: the unfinished ${file.path} (${describeLeft(named)}).`] : []),
  ]
}

/** Warning about a file that another machine has not delivered, and whose range the reset leaves out in part. */
function describeGivenUp({path, host, from}: WaitingElsewhere, name: string, to: string): string {
  const again = commandLine('exports reset', [name], {to: from})
  return `${path}, which ${host} has not delivered, is not waited for any more, and its records before ${to} are not read again. To read them: ${again}`
}

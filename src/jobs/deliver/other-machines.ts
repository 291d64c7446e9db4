import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import type {Named} from '../../reports/register/named-marks.js'
import type {DeliveryState} from '../../reports/register/outstanding-deliveries.js'
import type {SharedMarks, WaitingElsewhere} from '../../reports/register/shared-marks.js'
import {counted} from '../../values/counted.js'

/** The name that owns the files, and the marks that machines share, if they do. */
export type OtherMachines = {
  owner: Named | undefined
  shared?: Pick<SharedMarks, 'waitingElsewhere' | 'settle'> | undefined
}

/** Records for other machines that a file was delivered or given up: they cannot see the disk of this one. */
export async function tellOthers(
  {owner, shared, messages}: OtherMachines & {messages: {note(text: string): void}},
  file: {path: string; state: DeliveryState},
): Promise<void> {
  if (!owner || !shared || file.state === 'outstanding') return
  try {
    await shared.settle(owner, file)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    messages.note(`warning: Other machines do not see that ${file.path} is ${file.state}: ${error.message}`)
  }
}

/** An error for each file of the name that another machine has not delivered, as far as known. */
export async function findElsewhere({owner, shared}: OtherMachines): Promise<ErrorEntry[]> {
  if (!owner || !shared) return []
  const waiting = await shared.waitingElsewhere(owner)
  const earliest = waiting.map(({from}) => from).sort()[0] ?? ''
  const command = commandLine('exports reset', [owner.name], {to: earliest})
  return waiting.map((file) => describeElsewhere(file, command))
}

/**
 * The mark is past these rows, so no later run reads them, and the disk of the other machine may be gone. The reset
 * that is proposed gives up all waiting files, so it is the same for each.
 */
function describeElsewhere({path, host, rows, from, to}: WaitingElsewhere, command: string): ErrorEntry {
  const message = `${path} (${counted(rows, 'row')}, ${from} … ${to}) is not known to be delivered from ${host}.`
  const hints = [
    `If ${host} still has it, run the same command there: it delivers the file first.`,
    `If its disk is gone, have its range read again: ${command}`,
  ]
  return entryOf('NOT_DELIVERED_ELSEWHERE', message, {retry: 'safe', hint: hints.join('\n')})
}

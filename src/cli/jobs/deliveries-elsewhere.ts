import {exitCodeOf} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import type {DeliveryOwner, DeliveryState} from '../../reports/register/deliveries.js'
import type {WaitingElsewhere} from '../../reports/register/shared-deliveries.js'
import type {SharedMarks} from '../../reports/register/shared-marks.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'

/** What machines share of deliveries; a file may wait on a disk that is gone. */
export type SharedDeliveries = Pick<SharedMarks, 'waitingElsewhere' | 'settle'>

type Sharing = {
  owner: DeliveryOwner | undefined
  shared?: SharedDeliveries | undefined
  messages: Pick<CommandContext['messages'], 'note'>
}

/** Tells other machines what became of a file: they cannot see whether it left the disk of this one. */
export async function tellOthers(
  {owner, shared, messages}: Sharing,
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

/** An error for each file of the name that another machine has not delivered, as far as is known. */
export async function findElsewhere({owner, shared}: Omit<Sharing, 'messages'>): Promise<ErrorEntry[]> {
  if (!owner || !shared) return []
  const waiting = await shared.waitingElsewhere(owner)
  const earliest = waiting.map(({from}) => from).sort()[0] ?? ''
  const command = commandLine('exports reset', [owner.name], {to: earliest})
  return waiting.map((file) => describeElsewhere(file, command))
}

/**
 * The mark is past these rows, so no later run reads them; and a pod takes its disk with it. A reset gives up all files
 * that wait, so it is the same for each.
 */
function describeElsewhere({path, host, rows, from, to}: WaitingElsewhere, command: string): ErrorEntry {
  return {
    ...{code: 'NOT_DELIVERED_ELSEWHERE', exit: exitCodeOf('storage').code, changed: 'none', retry: 'safe'},
    message: `${path} (${counted(rows, 'row')}, ${from} … ${to}) is not known to be delivered from ${host}.`,
    hint: [
      `If ${host} still has it, run the same command there: it delivers the file first.`,
      `If its disk is gone, have its range read again: ${command}`,
    ].join('\n'),
  }
}

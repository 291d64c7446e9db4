import type {SharedMarks} from '../../reports/register/shared-marks.js'
import type {CommandContext} from '../app/command-context.js'
import type {OpenedClient} from '../client/open-client.js'

/** The marks that machines share; undefined without the setting `budget`. */
export async function openSharedMarks(
  _opened: OpenedClient,
  _context: CommandContext,
): Promise<SharedMarks | undefined> {
  return undefined
}

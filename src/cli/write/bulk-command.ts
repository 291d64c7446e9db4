import type {WriteId} from '../../contract/index.js'
import {BaseCommand} from '../app/base-command.js'
import type {BulkFlagValues} from './bulk-consent.js'

/** A bulk write: everything is checked first, every row ends with a fate. */
export abstract class BulkCommand extends BaseCommand {
  protected async write(operation: WriteId, flags: BulkFlagValues): Promise<void> {
    const {BulkWork} = await import('./bulk-work.js')
    await new BulkWork(this.context).write(operation, flags)
  }
}

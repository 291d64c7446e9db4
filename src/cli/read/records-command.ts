import {BaseCommand} from '../app/base-command.js'
import type {ReadFlags} from './read-flags.js'
import type {Shown} from './records-work.js'

/** A command that prints records which lie on this machine, in every format. */
export abstract class RecordsCommand extends BaseCommand {
  protected async presentRecords(flags: ReadFlags, shown: Shown): Promise<void> {
    const {RecordsWork} = await import('./records-work.js')
    await new RecordsWork(this.context).presentRecords(flags, shown)
  }
}

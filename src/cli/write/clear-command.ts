import {BaseCommand} from '../app/base-command.js'
import type {SelectionFlagValues} from './bulk-consent.js'

/** Clears alerts that are named, listed in a file, or found by filters; never all of them for want of a choice. */
export abstract class ClearCommand extends BaseCommand {
  protected async clear(flags: SelectionFlagValues): Promise<void> {
    const {ClearWork} = await import('./clear-work.js')
    await new ClearWork(this.context).clear(flags)
  }
}

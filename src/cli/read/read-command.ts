import type {ReadId} from '../../contract/index.js'
import {BaseCommand} from '../app/base-command.js'
import type {ReadFlags} from './read-flags.js'

/** A read: all pages of one operation, narrowed, ordered and rendered. */
export abstract class ReadCommand extends BaseCommand {
  protected async read(id: ReadId, flags: ReadFlags): Promise<void> {
    const {ReadWork} = await import('./read-work.js')
    await new ReadWork(this.context).read(id, flags)
  }
}

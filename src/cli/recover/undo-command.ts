import {BaseCommand} from '../app/base-command.js'
import type {UndoFlagValues} from './undo-work.js'

/** Takes a run back: the fields that it changed, where nobody changed them since. */
export abstract class UndoCommand extends BaseCommand {
  protected async undo(id: string, flags: UndoFlagValues): Promise<void> {
    const {UndoWork} = await import('./undo-work.js')
    await new UndoWork(this.context).undo(id, flags)
  }
}

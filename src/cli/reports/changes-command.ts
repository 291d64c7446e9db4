import {BaseCommand} from '../app/base-command.js'
import type {VerifyFlags} from './verify-work.js'

/** Reads what a file was exported from once more, and shows which records came, went or are not as they were. */
export abstract class ChangesCommand extends BaseCommand {
  protected async showChanges(file: string, flags: VerifyFlags): Promise<void> {
    const {ChangesWork} = await import('./changes-work.js')
    await new ChangesWork(this.context).showChanges(file, flags)
  }
}

import {BaseCommand} from '../app/base-command.js'
import type {CoverageFlags} from './coverage-work.js'

/** Which days exports of this machine have read, and files for those that they have not. */
export abstract class CoverageCommand extends BaseCommand {
  protected async coverage(flags: CoverageFlags): Promise<void> {
    const {CoverageWork} = await import('./coverage-work.js')
    await new CoverageWork(this.context).coverage(flags)
  }
}

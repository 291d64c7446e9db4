import {BaseCommand} from '../app/base-command.js'
import type {SummaryFlags} from './summary-work.js'

/** Counts and totals of the transaction report: of a live read, or of a file that was exported before. */
export abstract class SummaryCommand extends BaseCommand {
  protected async summarize(file: string | undefined, flags: SummaryFlags): Promise<void> {
    const {SummaryWork} = await import('./summary-work.js')
    await new SummaryWork(this.context).summarize(file, flags)
  }
}

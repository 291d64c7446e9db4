import {BaseCommand} from '../app/base-command.js'
import type {ReadFlags} from '../read/read-flags.js'

/** The transaction report: windows instead of one range, line items instead of batches. */
export abstract class ReportCommand extends BaseCommand {
  protected async report(flags: ReadFlags): Promise<void> {
    const {ReportWork} = await import('./report-work.js')
    await new ReportWork(this.context).report(flags)
  }
}

import {BaseCommand} from '../app/base-command.js'
import type {ResumeFlagValues} from './resume-work.js'

/** Goes on with a run: finds out about sets in doubt, then sends the sets that are left. */
export abstract class ResumeCommand extends BaseCommand {
  protected async resume(id: string | undefined, flags: ResumeFlagValues): Promise<void> {
    const {ResumeWork} = await import('./resume-work.js')
    await new ResumeWork(this.context).resume(id, flags)
  }
}

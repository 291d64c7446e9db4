import {Args} from '@oclif/core'
import {resumeFlags} from '../../cli/recover/recover-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsResume extends BaseCommand {
  static override summary = 'Resume a run: resolve rows in doubt, then send the rest.'
  static override description =
    'Sends only sets that were not applied, and nothing while a set is in doubt. Uses the options of the run. Rows that another run has applied since are skipped. Can be stopped and repeated at any time. An export, a sync or a job is resumed by its own command.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> latest --dry-run',
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f --settle 300 --yes',
  ]
  static override args = {
    id: Args.string({
      ignoreStdin: true,
      description: 'Run id (or its first or last characters), or `latest`; the newest unfinished write by default.',
    }),
  }
  static override flags = resumeFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsResume)
    const {resumeRun} = await import('../../cli/recover/resume-run.js')
    await resumeRun(args.id, flags, this.context)
  }
}

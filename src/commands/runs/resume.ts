import {Args} from '@oclif/core'
import {ResumeCommand} from '../../cli/recover/resume-command.js'
import {resumeFlags} from '../../cli/recover/resume-flags.js'
import type {ResumeFlagValues} from '../../cli/recover/resume-work.js'

export default class RunsResume extends ResumeCommand {
  static override summary = 'Go on with a run: find out about rows in doubt, then send what is left.'
  static override description =
    'Sends only sets that were not applied, with the options of the run; nothing while a set stays in doubt. Rows that another run applied meanwhile are left out. It may be stopped and given again at any time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> latest --dry-run',
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f --settle 300 --yes',
  ]
  static override args = {
    id: Args.string({
      ignoreStdin: true,
      description: 'Id of the run, its beginning or its end, or latest; the newest with something left unless given.',
    }),
  }
  static override flags = resumeFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunsResume)
    await this.resume(args.id, flags as unknown as ResumeFlagValues)
  }
}

import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ProfilesUse extends BaseCommand {
  static override summary = 'Make a profile the current one.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sandbox',
    '<%= config.bin %> <%= command.id %> production',
  ]
  static override args = {
    name: Args.string({required: true, ignoreStdin: true, description: 'Profile to use from now on.'}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(ProfilesUse)
    const {Profiles} = await import('../../settings/profiles.js')
    const {resolveSettings} = await import('../../settings/settings.js')
    const profiles = new Profiles(this.environment)
    resolveSettings({profile: args.name}, this.environment, profiles)
    await profiles.use(args.name)
    this.messages.note(`Now using profile ${args.name}.`)
    await this.present({data: {current: args.name}})
  }
}

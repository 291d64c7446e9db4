import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/start/base-command.js'
import {commandLine, flagText} from '../../core/command-line.js'

export default class ProfilesSet extends BaseCommand {
  static override summary = 'Create a profile or change its settings.'
  static override description = 'An empty value unsets a key. Secrets are never stored here; use auth login.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> production baseUrl=https://api.example.com stage=v2.1 protected=true',
    '<%= config.bin %> <%= command.id %> production readMethod=POST',
  ]
  static override args = {
    name: Args.string({required: true, ignoreStdin: true, description: 'Profile to create or change.'}),
    settings: Args.string({required: true, multiple: true, ignoreStdin: true, description: 'KEY=VALUE pairs.'}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(ProfilesSet)
    const {Profiles, toChanges} = await import('../../settings/profiles.js')
    const profiles = new Profiles(this.environment)
    const profile = await profiles.set(args.name, toChanges(args.settings))
    this.messages.note(`Saved profile ${args.name}.`)
    if (profiles.current === undefined && profiles.inUse !== args.name) {
      this.messages.note(
        `Use it with ${flagText('profile', args.name)}, or for good with: ${commandLine('profiles use', [args.name])}`,
      )
    }
    await this.present({data: {name: args.name, settings: {...profile}}})
  }
}

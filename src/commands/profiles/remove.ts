import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ProfilesRemove extends BaseCommand {
  static override summary = 'Remove a profile and its stored credentials.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> old',
    '<%= config.bin %> <%= command.id %> sandbox --json',
  ]
  static override args = {name: Args.string({required: true, ignoreStdin: true, description: 'Profile to remove.'})}

  async run(): Promise<void> {
    const {args} = await this.parse(ProfilesRemove)
    const {Profiles} = await import('../../settings/profiles.js')
    const {resolveSettings} = await import('../../settings/settings.js')
    const {CredentialStore} = await import('../../settings/credential-store.js')
    const {counted} = await import('../../values/counted.js')
    const profiles = new Profiles(this.environment)
    resolveSettings({profile: args.name}, this.environment, profiles)
    const store = new CredentialStore(this.environment)
    const keys = await store.remove((key) => key.startsWith(`${args.name}/`))
    await profiles.remove(args.name)
    this.messages.note(`Removed profile ${args.name} and ${counted(keys.length, 'stored credential')}.`)
    if (profiles.find(args.name))
      this.messages.note('What /etc/vendorctl/profiles.json says of it stays, for all users.')
    await this.present({data: {removed: args.name, credentials: keys.length}})
  }
}

import {clientFlags} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AuthTest extends BaseCommand {
  static override summary = 'Ask the service whether the API key is set up correctly.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production',
  ]
  static override flags = clientFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthTest)
    const {openClient} = await import('../../cli/client/open-client.js')
    const {client, resolved} = await openClient(flags, this.context)
    const answer = await client.testKey()
    client.close()
    this.messages.note(`The API key of profile ${resolved.profile} works: ${answer}`)
    await this.present({data: {profile: resolved.profile, answer}})
  }
}

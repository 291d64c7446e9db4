import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/start/base-command.js'
import {thousands} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'

export default class SandboxClock extends BaseCommand {
  static override summary = 'Show, move or stop the clock of the sandbox.'
  static override description =
    'Tokens expire, quotas are reset and records are dated by it. Without an argument it is only shown.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> +1d',
    '<%= config.bin %> <%= command.id %> midnight',
    '<%= config.bin %> <%= command.id %> now',
  ]
  static override args = {
    to: Args.string({
      ignoreStdin: true,
      description:
        '+1d, +2h, +30m or +90s: forward by that much. midnight: to the next 00:00 UTC. freeze: stop it. now: the time of this machine again.',
    }),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(SandboxClock)
    const {requireSandbox} = await import('../../cli/sandbox/sandbox-state.js')
    const {toTimeText} = await import('../../core/clock.js')
    const {askControl} = await import('../../cli/sandbox/control-client.js')
    const sandbox = requireSandbox(this.environment)
    const answer = await (args.to === undefined
      ? askControl(sandbox, 'GET', 'clock')
      : askControl(sandbox, 'PUT', 'clock', {sent: {to: args.to}, refused: 'SANDBOX_CLOCK'}))
    const {time, isFrozen, secondsAhead} = answer as {time: string; isFrozen: boolean; secondsAhead: number}
    const ahead = secondsAhead > 0 ? [`${thousands(secondsAhead)} s ahead of this machine`] : []
    const state = [...ahead, ...(isFrozen ? ['frozen'] : [])].join(', ')
    const text = `${toTimeText(Date.parse(time))}${state && ` (${state})`}\n`
    await this.present({data: answer as JsonRecord, text})
  }
}

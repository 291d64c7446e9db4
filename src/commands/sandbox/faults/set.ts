import {Args} from '@oclif/core'
import {BaseCommand} from '../../../cli/start/base-command.js'

export default class SandboxFaultsSet extends BaseCommand {
  static override summary = 'Make chosen requests misbehave.'
  static override description =
    'A fault is written FAULT[(arguments)]@OPERATION[#nth | #from- | %probability]. Replaces the faults set before. slow(milliseconds) only delays the answer.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'reset@sites.create#2'",
    "<%= config.bin %> <%= command.id %> 'status(503)@machines.list%10' 'token-expire(5)@*'",
  ]
  static override args = {
    faults: Args.string({
      required: true,
      multiple: true,
      ignoreStdin: true,
      description:
        'Faults to set: big, bomb, clamp, close-delim, ctype, drip, dup-error, hdr, json, late-commit, mutate, page-ceiling, quota, redirect, reject-get-body, reset-after-commit, reset-before, restock, sell, shuffle, skew, slow, stall-headers, status, strip-get-body, throttle, token-expire, trunc-chunked, trunc-cl.',
    }),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(SandboxFaultsSet)
    const {requireSandbox} = await import('../../../cli/sandbox/sandbox-state.js')
    const {askControl, presentFaults} = await import('../../../cli/sandbox/control-client.js')
    const sandbox = requireSandbox(this.environment)
    await this.present(await presentFaults(await askControl(sandbox, 'PUT', 'faults', {sent: {faults: args.faults}})))
  }
}

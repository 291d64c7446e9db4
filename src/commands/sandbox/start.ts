import {type SandboxFlags, sandboxFlags} from '../../cli/sandbox/sandbox-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class SandboxStart extends BaseCommand {
  static override summary = 'Start a local service with the complete contract, to try everything.'
  static override description = 'Listens on 127.0.0.1 only and saves it as profile "sandbox".'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --detach',
    '<%= config.bin %> <%= command.id %> --port 8080 --db world.db --no-limits',
  ]
  static override flags = sandboxFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(SandboxStart)
    if (flags.detach) {
      const {startDetached} = await import('../../cli/sandbox/start-detached.js')
      return this.present(await startDetached(flags, this.environment, this.config.root))
    }
    await this.#serve(flags)
  }

  async #serve({port, db, scale, seed, batches, 'no-limits': noLimits}: SandboxFlags): Promise<void> {
    const {refuseSecond} = await import('../../cli/sandbox/sandbox-state.js')
    await refuseSecond(this.environment)
    const {announce, serveUntilStopped} = await import('../../cli/sandbox/serve-sandbox.js')
    const {startSandbox} = await import('../../sandbox/server.js')
    const sandbox = await startSandbox({
      port,
      scale: scale === 'large' ? 'large' : 'small',
      limits: !noLimits,
      database: db,
      seed,
      batches,
    })
    await this.present(await announce(sandbox, this.environment))
    process.exitCode = await serveUntilStopped(sandbox, this.environment)
  }
}

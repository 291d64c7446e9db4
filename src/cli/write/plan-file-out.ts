import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import {usage} from '../../core/errors.js'
import {identifyUser} from '../../core/machine.js'
import {version} from '../../core/version.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import type {ClockReader} from '../../runs/differences/quiet-time.js'
import {type PlanHead, printPlanDocument} from '../../runs/plan/plan-document.js'
import type {Compared} from '../../runs/rows/phases.js'
import {resolveSettings, toSettings} from '../../settings/settings.js'
import {givenChanges, givenInput} from './input-flags.js'
import type {WriteFlags} from './write-flags.js'

export type PlanOut = {
  /** Writes the plan; it appears only when it is complete. */
  write(plan: Compared): Promise<void>
  /** The files that were written, in sentences. */
  readonly notes: string[]
  /** Removes a file that is not complete. */
  discard(): Promise<void>
}

type Origin = {
  command: string
  environment: Environment
  digest: () => string
  serviceClock: Pick<ClockReader, 'last'>
}

/** Opens the file of `--plan-out`, which only its owner may read. Throws a `CliFailure` when it cannot be written. */
export async function openPlanOut(flags: WriteFlags, origin: Origin): Promise<PlanOut | undefined> {
  const path = flags['plan-out']
  if (path === undefined) return undefined
  if (path === '-')
    throw usage('A plan is written to a file, not to standard output.', 'Name a file: --plan-out plan.json')
  const {command, environment, digest, serviceClock} = origin
  const resolved = resolveSettings(flags, environment)
  const {baseUrl, stage} = toSettings(resolved, flags)
  const file = await openAtomicFile(path, {overwrite: flags.overwrite ?? false, isPrivate: true})
  const notes: string[] = []
  return {
    notes,
    discard: file.discard,
    async write(plan) {
      const {user, host} = identifyUser()
      const {last} = serviceClock
      const head: PlanHead = {
        operation: plan.operation,
        command,
        toolVersion: version(),
        created: new Date(systemClock.now()).toISOString(),
        by: `${user}@${host}`,
        ...(last && {asOf: new Date(last.service).toISOString()}),
        target: {profile: resolved.profile, stage, baseUrl},
        input: toInput(plan, flags, digest),
        options: plan.sending,
      }
      for (const chunk of printPlanDocument(head, plan)) await file.write(chunk)
      await file.commit()
      const {profile, stage: given, fresh = false} = flags
      const sending = {'apply-plan': path, profile, stage: given, fresh: fresh || undefined}
      notes.push(`${path}: the plan. To send exactly this: ${commandLine(command, [], sending)}`)
    },
  }
}

function toInput({file, layout, reading}: Compared, flags: WriteFlags, digest: () => string) {
  const {encoding} = flags
  const given = {...givenInput(flags), ...givenChanges(flags)}
  if (!reading) return null
  return {
    name: file,
    sha256: digest(),
    ...reading,
    ...(layout.shifts && {shifts: layout.shifts}),
    ...(encoding !== undefined && {encoding}),
    ...(Object.keys(given).length > 0 && {flags: given}),
  }
}

import {systemClock} from '../../core/clock.js'
import {toDuration} from '../../core/durations.js'
import {withoutSecrets} from '../../core/environment.js'
import {redact} from '../../core/redact.js'
import {createDeliveries, type Deliveries} from '../../jobs/deliver/deliver-after-export.js'
import {type DeliveryCommand, deliverFile, toDeliveryCommand} from '../../jobs/deliver/deliver-file.js'
import {toSinceLast} from '../../reports/run/export-target.js'
import type {OneExport} from '../../reports/run/record-export.js'
import type {CommandContext} from '../app/command-context.js'
import {toLines} from '../app/messages.js'
import {stopSignal} from '../terminal/signals.js'
import type {ExportFlags} from './export-flags.js'

/** Delivery of complete files, from the flags. */
export type DeliveryPlan = {command: DeliveryCommand; keepMilliseconds: number | undefined}

/** The delivery that the flags ask for; undefined without `--deliver`. Throws `usage` at a wrong command or time. */
export function planDelivery({deliver, 'keep-for': keepFor}: ExportFlags): DeliveryPlan | undefined {
  if (deliver === undefined) return undefined
  const command = toDeliveryCommand(deliver)
  return {command, keepMilliseconds: keepFor === undefined ? undefined : toDuration(keepFor, 'keep-for')}
}

/** The deliveries of a command that exports; its environment has no secret of this program. */
export function openDeliveries(
  {command, keepMilliseconds}: DeliveryPlan,
  one: OneExport,
  context: CommandContext,
): Deliveries {
  const {register, shared, engine} = one
  const {environment, messages, caution} = context
  const [clock, signal] = [systemClock, stopSignal()]
  const onLine = (line: string) => messages.note(line)
  const common = {clock, signal, environment: withoutSecrets(environment), onLine}
  return createDeliveries({
    ...{command, keepMilliseconds, register, shared, messages, caution, toLines, redact, clock, signal},
    folder: engine.folder,
    owner: toSinceLast(one, engine.source),
    deliver: (words, isOnce, isUnchanged) =>
      deliverFile(words, {...common, isUnchanged, ...(isOnce && {pausesMilliseconds: []})}),
  })
}

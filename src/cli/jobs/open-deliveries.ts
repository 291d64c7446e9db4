import {systemClock} from '../../core/clock.js'
import {deliverFile} from '../../jobs/deliver/deliver-file.js'
import {type DeliveryCommand, toDeliveryCommand} from '../../jobs/deliver/delivery-command.js'
import type {CommandContext} from '../app/command-context.js'
import {withoutSecrets} from '../app/environment.js'
import {stopSignal} from '../app/signals.js'
import type {ExportFlags} from '../reports/export-flags.js'
import {toSinceLast} from '../reports/export-target.js'
import type {OneExport} from '../reports/register-export.js'
import {createDeliveries, type Deliveries} from './deliveries.js'

/** What the flags ask to become of complete files. */
export type DeliveryPlan = {command: DeliveryCommand}

/** Undefined without `--deliver`. Throws `usage` at a command that cannot be understood. */
export function planDelivery({deliver}: ExportFlags): DeliveryPlan | undefined {
  return deliver === undefined ? undefined : {command: toDeliveryCommand(deliver)}
}

/** The deliveries of a command that exports; its environment holds no secret of this program. */
export function openDeliveries(
  {command}: DeliveryPlan,
  {flags, planned, register, engine}: OneExport,
  {environment, messages}: CommandContext,
): Deliveries {
  const common = {
    ...{clock: systemClock, signal: stopSignal, environment: withoutSecrets(environment)},
    onLine: (line: string) => messages.note(line),
  }
  return createDeliveries({
    ...{command, register, messages, clock: systemClock, signal: stopSignal, folder: engine.folder},
    owner: toSinceLast(flags, planned, engine.source),
    deliver: (words, isOnce) => deliverFile(words, {...common, ...(isOnce && {pausesMilliseconds: []})}),
  })
}

import {CliFailure} from '../../core/errors.js'
import {identifyUser} from '../../core/machine.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import type {Sender} from '../../runs/write/start-record.js'
import {defined} from '../../values/defined.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {rowFlags} from './input-flags.js'
import type {WriteFlags} from './write-flags.js'

export type {HeldRun} from '../../runs/journal/load-run.js'

/** A client for the service and key of a run. Throws `usage` when the profile names another one now. */
export async function openClientOfRun(
  facts: RunFacts,
  flags: ClientFlags,
  context: CommandContext,
): Promise<OpenedClient> {
  const {profile, stage, baseUrl, keyFingerprint, id} = facts
  const opened = await openClient(
    {...flags, profile: flags.profile ?? profile, stage: flags.stage ?? stage},
    context,
    'writes',
  )
  const {source: now} = opened
  const [then, target] = [`${baseUrl} (${stage})`, `${now.baseUrl} (${now.stage})`]
  if (!isSameService(now.baseUrl, baseUrl)) throw elsewhere(id, then, target, [otherProfile])
  if (now.stage !== stage) throw elsewhere(id, then, target, [`Add: --stage ${stage}`])
  if (now.keyFingerprint !== keyFingerprint)
    throw elsewhere(id, `the key ${keyFingerprint}`, `the key ${now.keyFingerprint}`, [otherProfile])
  opened.client.nameRun(id)
  return opened
}

/** The facts about who sends a run, with which command, and to which service. */
export function senderOf(
  {client, source}: OpenedClient,
  flags: WriteFlags,
  {commandName: command, version}: Pick<CommandContext, 'commandName' | 'version'>,
): Sender {
  const {file, encoding, settle} = flags
  const more = defined({settle, given: rowFlags(flags)})
  return {client, command, ...identifyUser(), ...source, toolVersion: version, file, encoding, ...more}
}

const otherProfile = 'Choose the profile that names it with: --profile NAME'

function elsewhere(id: string, then: string, now: string, hints: string[]): CliFailure {
  return new CliFailure(`Run ${id} was sent to ${then}, but the profile names ${now}; nothing was sent.`, {
    code: 'OTHER_TARGET',
    hints,
  })
}

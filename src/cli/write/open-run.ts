import {toTimeText} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {identifyUser} from '../../core/machine.js'
import type {Journal} from '../../runs/journal/journal.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import {findLeftParts, type LoadedRun, loadRun} from '../../runs/journal/load-run.js'
import {openJournal} from '../../runs/journal/open-journal.js'
import {lockRun, type RunFolder, runPath} from '../../runs/journal/run-folder.js'
import type {Sender} from '../../runs/write/start-record.js'
import {defined} from '../../values/defined.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {findRun, runFolderOf, systemTimes} from './find-run.js'
import type {WriteFlags} from './write-flags.js'

export type OpenedRun = {
  folder: RunFolder
  id: string
  journal: Journal
  loaded: LoadedRun
  /** Unlocks the run. */
  close(): void
}

/** Opens and locks a run. Throws `usage`, `locked` or `storage`. */
export function openRun(environment: Environment, text: string): OpenedRun {
  const run = holdRun(environment, text)
  try {
    return {...run, loaded: loadRun(run.journal)}
  } catch (error) {
    run.close()
    throw error
  }
}

/** The same without its rows, which may be many. */
export function holdRun(environment: Environment, text: string): Omit<OpenedRun, 'loaded'> {
  const folder = runFolderOf(environment)
  const id = findRun(folder, text)
  keepMemoryFlatFor(runPath(folder, id))
  const lock = lockRun(folder, id)
  try {
    const journal = openJournal(folder, id, systemTimes)
    refuseExported(journal)
    const close = () => {
      journal.close()
      lock.release()
    }
    return {folder, id, journal, close}
  } catch (error) {
    lock.release()
    throw error
  }
}

/** An exported run may have been resumed elsewhere: nothing is sent for it here. */
function refuseExported(journal: Journal): void {
  const {id, exported} = journal.facts()
  if (exported === undefined) return
  const isOpen = findLeftParts(journal.parts()).length > 0
  journal.close()
  const now = isOpen ? 'may be resumed elsewhere' : 'can be changed only where its file was imported'
  const finished = isOpen ? '' : ' is finished,'
  throw new CliFailure(`Run ${id}${finished} was exported on ${toTimeText(exported)} and ${now}; nothing was sent.`, {
    code: 'RUN_EXPORTED',
    hints: ['Change it on the machine that imported it, with the version that exported it.'],
  })
}

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

/** Who sends a run, and where to. */
export function senderOf(
  {client, source}: OpenedClient,
  {file, encoding, settle}: WriteFlags,
  {commandName: command, version}: Pick<CommandContext, 'commandName' | 'version'>,
): Sender {
  return {client, command, ...identifyUser(), ...source, toolVersion: version, file, encoding, ...defined({settle})}
}

const otherProfile = 'Choose the profile that names it with: --profile NAME'

function elsewhere(id: string, then: string, now: string, hints: string[]): CliFailure {
  return new CliFailure(`Run ${id} was sent to ${then}, but the profile names ${now}; nothing was sent.`, {
    code: 'OTHER_TARGET',
    hints,
  })
}

import type {EnvelopeMeta} from '../app/envelope.js'
import type {OpenedClient} from './open-client.js'

/** Profile, stage and requests of a command that used the service, for its envelope. */
export function requestMeta(opened: OpenedClient): EnvelopeMeta {
  const {resolved} = opened
  return {profile: resolved.profile, stage: resolved.values.stage.value ?? '', requests: toRequests(opened)}
}

/** Requests of this process, and what is left of the day: counted by the ledger, or estimated from this process alone. */
export function toRequests({client}: Pick<OpenedClient, 'client'>): NonNullable<EnvelopeMeta['requests']> {
  const {left, is} = client.quota()
  return {used: client.requestsUsed, quotaLeft: left, quotaLeftIs: is}
}

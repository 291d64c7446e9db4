import type {EnvelopeMeta} from '../app/envelope.js'
import {toRequests} from '../read/finish-read.js'
import type {OpenedClient} from './open-client.js'

/** The meta of a command that spoke to the service. */
export function finishRequests(opened: OpenedClient): EnvelopeMeta {
  const {resolved} = opened
  return {profile: resolved.profile, stage: resolved.values.stage.value ?? '', requests: toRequests(opened)}
}

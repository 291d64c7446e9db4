import type {Settings, Token, TokenStore} from '../client/types.js'
import {defaultStage, isStage, limits, pace, stageNames} from '../contract/index.js'
import {wrongArgument} from './arguments.js'
import type {ClientOptions} from './types.js'

/** Where the service is and how to speak to it. Throws a `CliFailure` (usage) at a stage that does not exist. */
export function toSettings(options: ClientOptions): Settings {
  const {baseUrl, stage = defaultStage, timeoutSeconds, maximumRequests} = options
  if (!isStage(stage)) throw wrongArgument(`There is no stage "${stage}"; there are ${stageNames.join(', ')}.`)
  return {
    baseUrl,
    stage,
    readMethod: options.readMethod ?? 'GET',
    tokenHeader: options.tokenHeader ?? 'access-token',
    rate: options.rate ?? pace.requestsPerSecond,
    burst: options.burst ?? pace.burst,
    quota: options.quota ?? {perDay: limits.requestsPerDay, floor: 0},
    routes: options.routes ?? {},
    ...(timeoutSeconds !== undefined && {timeoutSeconds}),
    ...(maximumRequests !== undefined && {maximumRequests}),
  }
}

/** Keeps the token for as long as this process lives. */
export function createMemoryTokens(): TokenStore {
  let kept: Token | undefined
  return {
    read: async () => kept,
    write: async (token) => {
      kept = token
    },
  }
}

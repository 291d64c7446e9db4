import type {GatewayAnswer} from './base/grammar.js'

/** Answers `{"message": …}` of the gateway before the service, before any work is done. [dec] unless marked. */
export const gatewayAnswers = {
  FORBIDDEN: {
    status: 403,
    message: 'Forbidden', // [pub]
    changed: 'none',
    again: 'never',
    about: 'The API key is wrong or missing.',
    hint: 'Check the key and run: vendorctl auth login',
  },
  UNKNOWN_ROUTE: {
    status: 403,
    message: 'Missing Authentication Token', // as common gateways say it
    changed: 'none',
    again: 'never',
    about: 'The gateway does not know this path, method or stage.',
    hint: 'Check the path and the stage against: vendorctl contract show',
  },
  BODY_TOO_LARGE: {
    status: 413,
    message: 'Request Too Long',
    changed: 'none',
    again: 'never',
    about: 'The request body is larger than the service accepts.',
    hint: 'Send fewer rows in one set with --set-size.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Unsupported Media Type',
    changed: 'none',
    again: 'never',
    about: 'The body of a write must be application/json.',
    hint: 'Look for a proxy that changes the header content-type.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too Many Requests',
    changed: 'none',
    again: 'afterWait',
    about: 'There were more requests per second than the API key allows.',
    hint: 'vendorctl waits and retries by itself; another program may be using the same key.',
  },
  LIMIT_EXCEEDED: {
    status: 429,
    message: 'Limit Exceeded',
    changed: 'none',
    again: 'afterWait',
    about: 'The daily quota of the API key is used up.',
    hint: 'Wait for the daily reset at 00:00 UTC.',
  },
} as const satisfies Record<string, GatewayAnswer>

import { body, optionalBody } from '../body/body.ts';
import { parseBody, parseWith } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { memberOnly, recentLogin } from '../guard/session.ts';
import { post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { createDeviceCodes, createDeviceKey } from './deviceCodes.ts';
import { approveDeviceLogin, denyDeviceLogin, readDeviceLogin } from './deviceDecisions.ts';
import { deviceDocs } from './deviceDocs.ts';
import { ApprovalBody, DeviceCodesBody, DeviceTokenBody, UserCodeBody } from './deviceSchema.ts';

const SMALL = { bytesMax: 8 * 1024, valuesMax: 100 };

/** What a program without a key asks. */
export function deviceRoutes(services: Services): Route[] {
  const codes = [optionalBody(parseBody(DeviceCodesBody), SMALL)];
  const token = [body(parseWith(DeviceTokenBody, 'body'), SMALL)];
  return [
    post('/platform/v1/device/codes', codes, createDeviceCodes(services), deviceDocs.begin),
    post('/platform/v1/device/token', token, createDeviceKey(services), deviceDocs.fetch),
  ];
}

/** What a signed-in person decides. */
export function deviceDecisionRoutes(services: Services, keyed: Keyed): Route[] {
  const named = keyed(memberOnly, body(parseWith(UserCodeBody, 'body')));
  const approval = keyed(memberOnly, recentLogin, body(parseWith(ApprovalBody, 'body')));
  return [
    post('/console/v1/device/read', named, readDeviceLogin(services), deviceDocs.read),
    post('/console/v1/device/approve', approval, approveDeviceLogin(services), deviceDocs.approve),
    post('/console/v1/device/deny', named, denyDeviceLogin(services), deviceDocs.deny),
  ];
}

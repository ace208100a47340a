// Written by `ledgerline add acme/forecaster@beta` from version 2026-11-21. Changes are lost when it is written again.
import { defineAgent } from 'ledgerline';
import { z } from 'zod';

/** What acme/forecaster@beta takes. */
export type ForecasterInput = {
  /**
   * Where.
   * A city. *\/ process.exit(); /*
   * 100 characters at most.
   */
  city: string;
  /**
   * At least 1, at most 9.
   * @default 3
   */
  days?: number;
  units?: "metric" | "imperial";
};

/** Checks `ForecasterInput` at run time. */
export const forecasterInputSchema = z.fromJSONSchema({
  "type": "object",
  "properties": {
    "city": {
      "type": "string",
      "description": "Where.\nA city. */ process.exit(); /*",
      "maxLength": 100
    },
    "days": {
      "type": "integer",
      "minimum": 1,
      "maximum": 9,
      "default": 3
    },
    "units": {
      "enum": [
        "metric",
        "imperial"
      ]
    }
  },
  "required": [
    "city"
  ],
  "additionalProperties": false
}) as unknown as z.ZodType<ForecasterInput>;

/** The `data` that acme/forecaster@beta gives. */
export type ForecasterOutput = {
  rain: number;
  sky: "clear" | "cloudy" | null;
  hours: {
    /** Date-time. */
    at: string;
    rain?: number;
  }[];
};

/** Checks `ForecasterOutput` at run time. */
export const forecasterOutputSchema = z.fromJSONSchema({
  "type": "object",
  "$defs": {
    "hour": {
      "type": "object",
      "properties": {
        "at": {
          "type": "string",
          "format": "date-time"
        },
        "rain": {
          "type": "number"
        }
      },
      "required": [
        "at"
      ]
    }
  },
  "properties": {
    "rain": {
      "type": "number"
    },
    "sky": {
      "anyOf": [
        {
          "enum": [
            "clear",
            "cloudy"
          ]
        },
        {
          "type": "null"
        }
      ]
    },
    "hours": {
      "type": "array",
      "items": {
        "$ref": "#/$defs/hour"
      }
    }
  },
  "required": [
    "rain",
    "sky",
    "hours"
  ]
}) as unknown as z.ZodType<ForecasterOutput>;

/**
 * Forecaster: Says what comes. *\/ process.exit(); /*
 *
 * Calls acme/forecaster@beta, for $0 to $0.5 a run.
 * @example const { data, costUsd } = await forecaster({ … });
 */
export const forecaster = defineAgent<ForecasterInput, ForecasterOutput>("acme/forecaster@beta", { input: forecasterInputSchema, output: forecasterOutputSchema });

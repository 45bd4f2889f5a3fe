ALTER TABLE "clusters" ADD COLUMN "is_passkey_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "act_proved_at" timestamp with time zone;
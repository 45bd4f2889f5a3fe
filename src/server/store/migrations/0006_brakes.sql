CREATE TABLE "brakes" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"network" "bytea",
	"empty_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "brakes_network" ON "brakes" USING btree ("network","empty_at");--> statement-breakpoint
CREATE INDEX "brakes_empty" ON "brakes" USING btree ("empty_at");